import AccessoryModel
import Foundation
import HAPController
import HAPCore
import Synchronization
import TestSupport
import Testing
import WebConsole

/// The end of `hap serve` while clients write.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ShutdownProcessTests {
    private static let code = "101-48-005"

    /// The values that one client has written: the acknowledged one, and the one on its way.
    private final class WriteLog: Sendable {
        private let values = Mutex<(acknowledged: Int?, sent: Int)>((nil, 0))

        var acknowledged: Int? { values.withLock { $0.acknowledged } }

        /// Writes values until one fails.
        func write(_ send: (Int) async -> Bool) async {
            for number in 1... {
                let value = number % 100
                values.withLock { $0.sent = value }
                guard await send(value) else { return }
                values.withLock { $0.acknowledged = value }
            }
        }

        /// Returns whether a saved value is the last one that was acknowledged, or the one that had no answer.
        func allows(_ value: Int?) -> Bool {
            values.withLock { value == $0.acknowledged || value == $0.sent }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT]) func acknowledgedValuesAreOnDisk(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            accessory: Lamps
            services:
              - type: Lightbulb
                simulate: none
                characteristics: { On: true, Brightness: 0 }
              - type: Lightbulb
                name: Second
                simulate: none
                characteristics: { On: true, Brightness: 0 }
            """,
            to: "lamps.yaml"
        )
        let controller = try await Controller.open(state: folder("controller"))
        var isPaired = false
        for _ in 0..<4 {
            let (process, ready) = try await HapProcess.serving(["--setup-code", Self.code, file], in: folder)
            if !isPaired {
                _ = try await controller.pair(
                    .address(host: "127.0.0.1", port: ready[0].port),
                    with: .code(try #require(SetupCode(Self.code))),
                    as: "lamps"
                )
                isPaired = true
            }
            let accessory = try await controller.accessory("lamps")
            let services: [RemoteService] = try await accessory.accessories().flatMap(\.services)
            let ids = services.flatMap { service in
                service.characteristics.filter { $0.type == .brightness }
                    .map { CharacteristicID(aid: .primary, iid: $0.iid) }
            }
            try #require(ids.count == 2)
            let (hap, api) = (WriteLog(), WriteLog())
            let processID = process.processID
            let client = ConsoleClient(socket: folder("state/serve.sock"))
            let path = "/api/v1/servers/Lamps/characteristics/\(ids[1])"
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await hap.write { value in
                        let results = try? await accessory.write([CharacteristicWrite(ids[0], .integer(value))])
                        return results?.first?.code == 0
                    }
                }
                group.addTask {
                    await api.write { value in
                        let body = Array("{\"value\":\(value),\"as\":\"controller\"}".utf8)
                        return (try? await client.send("PUT", path, body: body))?.isSuccess == true
                    }
                }
                group.addTask {
                    while hap.acknowledged == nil || api.acknowledged == nil { await Task.yield() }
                    kill(processID, signal)
                }
            }
            let outcome = try await process.outcome()
            #expect(outcome.status == 0, "\(outcome)")
            #expect(!FileManager.default.fileExists(atPath: folder("ready")))
            let (next, _) = try await HapProcess.serving([file], in: folder)
            for (id, log) in zip(ids, [hap, api]) {
                let saved = try await client.send("GET", "/api/v1/servers/Lamps/characteristics/\(id)").json
                #expect(log.allows(saved.object?["value"]?.unsigned.map { Int($0) }), "\(id): \(saved)")
            }
            #expect(try await next.terminate().status == 0)
        }
        await controller.close()
    }
}
