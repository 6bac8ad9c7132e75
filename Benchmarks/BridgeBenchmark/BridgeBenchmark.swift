import AccessoryModel
import HAPCore
import HAPServer
import Storage
import UnixSignals

/// A bridge with 149 light bulbs, as many as HAP allows.
///
/// It uses only the public API of the library.
///
/// ```
/// BridgeBenchmark PORT STATE-FOLDER SETUP-CODE
/// ```
@main
struct BridgeBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 3, let port = arguments.first.flatMap(UInt16.init),
            let code = arguments.last.flatMap({ SetupCode($0) }), let folder = arguments.dropFirst().first
        else {
            print("usage: BridgeBenchmark PORT STATE-FOLDER SETUP-CODE")
            return
        }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let state = try await StateStore.open(folder: folder)
        let server = try await AccessoryServer.start(
            ServerConfiguration(name: "Bridge", category: .bridge, port: port, setupCode: code),
            accessories: [bridge] + (1...149).map(bulb),
            store: state.server(key: bridge.key),
            discovery: nil
        )
        for await _ in signals { break }
        await server.stop()
        try await state.close()
    }

    private static let bridge = Accessory(
        key: "bridge",
        services: [
            .accessoryInformation(
                name: "Bridge",
                manufacturer: "swift-hap",
                model: "Bridge",
                serialNumber: "BRIDGE",
                firmware: "1.0.0"
            ),
            .protocolInformation(),
        ]
    )

    private static func bulb(_ number: Int) -> Accessory {
        Accessory(
            key: "bulb-\(number)",
            services: [
                .accessoryInformation(
                    name: "Bulb \(number)",
                    manufacturer: "swift-hap",
                    model: "Bulb",
                    serialNumber: "BULB-\(number)",
                    firmware: "1.0.0"
                ),
                Service(
                    .lightbulb,
                    characteristics: [
                        Characteristic(cataloged: .name, value: .string("Bulb \(number)")),
                        Characteristic(cataloged: .on, value: false),
                        Characteristic(cataloged: .brightness, value: 100),
                    ]
                ),
            ]
        )
    }
}
