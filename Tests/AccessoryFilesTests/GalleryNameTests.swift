import AccessoryFiles
import AccessoryModel
import Simulation
import TestSupport
import Testing

/// What everything in the folder Accessories is called.
struct GalleryNameTests {
    private static func server(_ file: GalleryFile) throws -> SimulatedServer {
        let document = try AccessoryFile.read(try file.bytes, name: file.path, include: GalleryFile.beside).document
        return try SimulatedServer(
            name: document.name,
            unstarted: document.declaration(isSimulated: true),
            isVerbatim: document.isVerbatim
        )
    }

    /// Each text of completion means one thing, and a refusal offers only what does.
    private static func check(_ names: SimulationNames, _ kind: SimulationObject.Kind) throws {
        for text in names.texts(of: [kind]) {
            do {
                let object = try names.resolve(SimulationTarget(text), as: [kind])
                #expect(names.text(of: object) == text)
            } catch {
                Issue.record("\(text): \(error)")
            }
        }
        let words = Set(names.texts(of: [kind]).compactMap { $0.split(separator: "/").last })
        for word in words {
            do {
                _ = try names.resolve(SimulationTarget(String(word)), as: [kind])
            } catch  where error.code == .ambiguousName {
                let offered = error.remedy.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }
                #expect(offered.count > 1)
                for (_, text) in offered {
                    _ = try names.resolve(SimulationTarget(String(text)), as: [kind])
                }
            }
        }
    }

    @Test(arguments: GalleryFile.all, SimulationObject.Kind.allCases)
    func eachNameMeansOneThing(file: GalleryFile, kind: SimulationObject.Kind) throws {
        try Self.check(SimulationNames([Self.server(file)]), kind)
    }

    @Test(arguments: SimulationObject.Kind.allCases)
    func eachNameMeansOneThingAmongAll(kind: SimulationObject.Kind) throws {
        let servers = try GalleryFile.all.map { try Self.server($0) }
        try Self.check(SimulationNames(servers + servers.prefix(3)), kind)
    }

    @Test(arguments: GalleryFile.all)
    func aFaultIsPutOnTheWholeByTheNameOfTheServer(file: GalleryFile) throws {
        let server = try Self.server(file)
        let names = SimulationNames([server])
        for definition in FaultCatalogue.definitions where definition.scopes.contains(.server) {
            let wish = FaultWish(definition.name, on: SimulationTarget(server.name))
            #expect(try names.place(of: wish) == .server(0))
        }
    }
}
