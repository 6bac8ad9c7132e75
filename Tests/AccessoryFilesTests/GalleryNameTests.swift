import AccessoryFiles
import AccessoryModel
import Documents
import Simulation
import TestSupport
import Testing

/// Tests the names of everything in the folder Accessories.
struct GalleryNameTests {
    private static func server(_ file: GalleryFile) throws -> NamedServer {
        let document = try AccessoryFile.read(try file.bytes, name: file.path, include: GalleryFile.includedFile)
            .document
        return try NamedServer(
            name: document.name,
            unstarted: document.makeAccessories(isSimulated: true),
            isVerbatim: document.isVerbatim
        )
    }

    /// Returns the object that a text refers to, or the error if it does not refer to one.
    private static func resolve(
        _ text: some StringProtocol,
        _ kind: NameLevel,
        _ names: SimulationNames
    ) -> Result<SimulationObject, SimulationError> {
        Result { () throws(SimulationError) in try names.resolve(SimulationTarget(String(text)), as: [kind]) }
    }

    /// Checks that each completion refers to exactly one object, and that errors suggest only names that do.
    private static func check(_ names: SimulationNames, _ kind: NameLevel) throws {
        for text in names.texts(of: [kind]) {
            let object = try resolve(text, kind, names).get()
            #expect(names.text(of: object) == text)
        }
        for word in Set(names.texts(of: [kind]).compactMap { $0.split(separator: "/").last }) {
            guard case .failure(let error) = resolve(word, kind, names), error.code == .ambiguousName else { continue }
            let offered = error.remedy.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }
            #expect(offered.count > 1)
            for (_, text) in offered {
                _ = try resolve(text, kind, names).get()
            }
        }
    }

    @Test(arguments: GalleryFile.all, NameLevel.allCases)
    func eachNameIsUnambiguous(file: GalleryFile, kind: NameLevel) throws {
        try Self.check(SimulationNames([Self.server(file)]), kind)
    }

    @Test(arguments: NameLevel.allCases)
    func eachNameIsUnambiguousAmongAllServers(kind: NameLevel) throws {
        let servers = try GalleryFile.all.map { try Self.server($0) }
        try Self.check(SimulationNames(servers + servers.prefix(3)), kind)
    }

    @Test(arguments: GalleryFile.all)
    func faultOnAServerNameAppliesToTheWholeServer(file: GalleryFile) throws {
        let server = try Self.server(file)
        let names = SimulationNames([server])
        for definition in FaultCatalog.definitions where definition.scopes.contains(.server) {
            let request = FaultRequest(definition.name, on: SimulationTarget(server.name))
            #expect(try names.resolveFault(of: request).object == .server(0))
        }
    }
}
