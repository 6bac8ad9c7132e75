import AccessoryModel
import Foundation
import HAPCore
import HAPServer
import Simulation
import SimulationRunning
import Storage

/// A bridge with a lamp behind it that does wrong what the lines of its standard input say; for `faults.py`.
///
///     FaultServer FOLDER
///     FaultServer --list
///
/// With `--list` it writes the names of all faults and ends.
///
/// The first line that it writes is a JSON object with what a controller needs; then it writes a line for each fault that
/// acts or is over, and `done` for each line that it has read and obeyed, `refused …` for another.
@main
struct FaultServer {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { throw Refusal("name a folder for the state") }
        if CommandLine.arguments[1] == "--list" {
            say(FaultCatalogue.definitions.map(\.name).joined(separator: "\n"))
            return
        }
        let store = try await StateStore.open(folder: CommandLine.arguments[1])
        let injector = FaultInjector(seed: 7, observer: FaultPrinter())
        let configuration = ServerConfiguration(name: "Faulty Bridge", category: .bridge, bindAddress: "127.0.0.1")
        let server = try await AccessoryServer.start(
            configuration,
            accessories: [Self.bridge, Self.lamp],
            store: store.server(key: "faulty"),
            interference: injector
        )
        let information = await server.information
        say(
            #"{"deviceID":"\#(information.deviceID.text)","port":\#(information.port),"#
                + #""setupCode":"\#(information.setupCode.text)"}"#
        )
        let faults = ServerFaults(of: server, by: injector)
        for await line in Self.lines {
            do {
                try await FaultOrder(line).perform(on: faults)
                say("done")
            } catch {
                say("refused \(error)")
            }
        }
        await server.stop()
        try await store.close()
    }

    /// The lines of the standard input, read by a thread of their own.
    private static var lines: AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() {
                continuation.yield(line)
            }
            continuation.finish()
        }
        return stream
    }

    private static let bridge = Accessory(
        key: "bridge",
        services: [information("Faulty Bridge", "F1"), .protocolInformation(), light]
    )

    private static let lamp = Accessory(key: "lamp", services: [information("Lamp", "F2"), light])

    private static let light = Service(
        .lightbulb,
        characteristics: [
            Characteristic(catalogued: .on, value: false), Characteristic(catalogued: .brightness, value: 50),
        ]
    )

    private static func information(_ name: String, _ number: String) -> Service {
        .accessoryInformation(name: name, manufacturer: "Example", model: "F", serialNumber: number, firmware: "1.0.0")
    }
}
