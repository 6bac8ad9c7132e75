import AccessoryModel
import ArgumentParser
import Foundation
import HAPCore
import HAPServer
import Storage

/// A server that replaces its accessories for every line that it reads.
///
/// The response to `replace N` is `replaced N` with the ids of the present accessories, once the server has applied the
/// change.
struct StructureServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", shouldDisplay: false)

    @Option var state: String
    @Option var bind: String
    @Option var structure: Int

    func run() async throws {
        let store = try await StateStore.open(folder: state)
        let server = try await AccessoryServer.start(
            ServerConfiguration(name: "Units", category: .bridge, bindAddress: bind, setupCode: TestBench.setupCode),
            accessories: Self.accessories(structure),
            store: store.server(key: "units"),
            discovery: nil
        )
        let port = await server.information.port
        printLine(await Self.responseLine("ready", structure, server) + " port=\(port)")
        while let line = readLine() {
            guard let number = line.split(separator: " ").last.flatMap({ Int($0) }) else { continue }
            try await server.replaceAccessories(with: Self.accessories(number))
            printLine(await Self.responseLine("replaced", number, server))
        }
    }

    /// The number of structures, counted from 0: every set of lamps except the empty one, which cannot be served.
    static let count = 255

    private static let units = 0..<8

    /// Returns a bridge with a lamp for every bit of the number after this one.
    private static func accessories(_ structure: Int) -> [Accessory] {
        let bridge = Accessory(key: "bridge", services: [information("Units"), .protocolInformation()])
        return [bridge]
            + units.filter { (structure + 1) >> $0 & 1 == 1 }
            .map { Accessory(key: "unit\($0)", services: services($0)) }
    }

    private static func services(_ unit: Int) -> [Service] {
        let lamp = Service(
            .lightbulb,
            characteristics: [
                Characteristic(cataloged: .on, value: false), Characteristic(cataloged: .brightness, value: 50),
            ]
        )
        return [information("Unit \(unit)"), lamp]
    }

    private static func information(_ name: String) -> Service {
        .accessoryInformation(name: name, manufacturer: "Example", model: "U1", serialNumber: name, firmware: "1.0.0")
    }

    private static func responseLine(_ word: String, _ structure: Int, _ server: AccessoryServer) async -> String {
        var line = "\(word) \(structure)"
        for unit in units {
            let on = CharacteristicKey(accessory: "unit\(unit)", service: ServiceKey(.lightbulb), type: .on)
            if let id = await server.id(of: on) {
                line += " unit\(unit)=\(id)"
            }
        }
        return line
    }
}
