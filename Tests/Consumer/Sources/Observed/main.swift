// Runs a lamp with logs and metrics in a ServiceGroup, together with a remote control that pairs, switches the lamp on
// and shuts the group down. Exit status: 0 if the log and the metrics contain these events, 1 if not.

import CoreMetrics
import Foundation
import HAPController
import HAPServer
import Logging
import ServiceLifecycle
import Synchronization

/// A metrics factory that adds up counters and counts the uses of each timer.
final class Totals: MetricsFactory {
    private let totals = Mutex<[String: Int64]>([:])

    private final class Instrument: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
        private let add: @Sendable (Int64) -> Void

        init(_ add: @escaping @Sendable (Int64) -> Void) { self.add = add }

        func increment(by amount: Int64) { add(amount) }
        func reset() {}
        func set(_ value: Int64) {}
        func set(_ value: Double) {}
        func increment(by amount: Double) {}
        func decrement(by amount: Double) {}
        func record(_ value: Int64) {}
        func record(_ value: Double) {}
        func recordNanoseconds(_ duration: Int64) { add(1) }
    }

    subscript(_ name: String) -> Int64 { totals.withLock { $0[name, default: 0] } }

    private func instrument(_ label: String, _ dimensions: [(String, String)]) -> Instrument {
        let name = ([label] + dimensions.map { "\($0)=\($1)" }).joined(separator: " ")
        return Instrument { [self] amount in totals.withLock { $0[name, default: 0] += amount } }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        instrument(label, dimensions)
    }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { instrument(label, dimensions) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { instrument(label, dimensions) }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        instrument(label, dimensions)
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
}

/// A log handler that stores messages with their metadata.
struct Memory: LogHandler {
    final class Lines: Sendable {
        let texts = Mutex<[String]>([])
    }

    let lines: Lines
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let details = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let line = ([event.message.description] + details).joined(separator: " ")
        print(line)
        lines.texts.withLock { $0.append(line) }
    }
}

/// A service that pairs with the lamp, switches it on, and returns, which shuts the group down.
struct Remote: ServiceLifecycle.Service {
    let port: UInt16
    let code: SetupCode
    let folder: String

    func run() async throws {
        let controller = try await Controller.open(state: folder)
        let lamp = try await controller.pair(.address(host: "127.0.0.1", port: port), with: .code(code), as: "Lamp")
        for accessory in try await lamp.accessories() {
            for service in accessory.services where service.type == .lightbulb {
                for on in service.characteristics where on.type == .on {
                    _ = try await lamp.write([
                        CharacteristicWrite(CharacteristicID(aid: accessory.aid, iid: on.iid), true)
                    ])
                }
            }
        }
        await controller.close()
    }
}

let folder = URL.temporaryDirectory.appending(path: "hap-observed-\(ProcessInfo.processInfo.processIdentifier)")
defer { try? FileManager.default.removeItem(at: folder) }
let lines = Memory.Lines()
let logger = Logger(label: "observed") { _ in Memory(lines: lines) }
let totals = Totals()
let on = HAPCharacteristic(.on, false)
let lamp = HAPAccessory("Lamp", category: .lighting) { HAPService(.lightbulb) { on } }
let server = try await AccessoryServer.start(
    lamp,
    state: folder.appending(path: "server").path,
    bindAddress: "127.0.0.1",
    discovery: nil,
    logger: logger,
    metrics: totals
)
let information = await server.information
let remote = Remote(
    port: information.port,
    code: information.setupCode,
    folder: folder.appending(path: "controller").path
)
let group = ServiceGroup(
    configuration: ServiceGroupConfiguration(
        services: [
            .init(service: server),
            .init(service: remote, successTerminationBehavior: .gracefullyShutdownGroup),
        ],
        gracefulShutdownSignals: [.sigint, .sigterm],
        logger: logger
    )
)
try await group.run()

let log = lines.texts.withLock { $0 }
let claims = [
    "a pairing is logged": log.contains { $0.hasPrefix("Pairing added admin=true") && $0.hasSuffix("server=Lamp") },
    "a write is logged with its characteristic, connection and controller": log.contains {
        $0.hasPrefix("Value changed characteristic=1.") && $0.contains(" connection=") && $0.contains(" controller=")
            && $0.contains(" value=true")
    },
    "the write is counted": totals["hap_requests server=Lamp endpoint=characteristics status=204"] == 1,
    "pair-setup is counted and its requests are timed":
        totals["hap_pair_setup_attempts server=Lamp"] == 1
        && totals["hap_request_duration server=Lamp endpoint=pair-setup"] == 3,
    "the final values are stored": totals["hap_store_writes server=Lamp record=values"] >= 1,
    "the stopped server has the value that was written": try await server.value(of: on) == true,
]
for (claim, holds) in claims.sorted(by: { $0.key < $1.key }) {
    print(holds ? "ok    " : "FAILED", claim)
}
exit(claims.values.allSatisfy(\.self) ? 0 : 1)
