import Foundation
import HAPCore
import TestSupport
import Testing

/// What `hap doctor` finds out about another process, and about a message bus.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DoctorProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        arguments: [
            (nil, "The D-Bus system bus refuses this user, or DBUS_SYSTEM_BUS_ADDRESS does not point to a system bus."),
            (Array("SSH-2.0\r\n".utf8), "did not answer in time."),
            ([], "did not answer in time."),
        ] as [([UInt8]?, String)]
    )
    func invalidBusIsReportedByItsResponse(reply: [UInt8]?, sentence: String) async throws {
        let listener = try StubListener(response: reply, at: folder("bus"))
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder("bus"))"]
        let outcome = try await HapProcess.run("doctor", "--state", folder("state"), environment: environment)
        #expect(outcome.status == 69)
        #expect(outcome.output.contains(sentence), "\(outcome)")
        #expect(outcome.errors == "")
        withExtendedLifetime(listener) {}
    }

    @Test func runningServerIsDetectedAndContinues() async throws {
        let (process, ready) = try await HapProcess.serving(in: folder)
        let outcome = try await HapProcess.run("doctor", "--state", folder("state"))
        #expect(outcome.output.contains("✓ ok       State: The database in \(folder("state")) is intact"))
        #expect(outcome.output.contains("Kilgo Garage (\(ready.deviceID)): not paired, port \(ready.port)."))
        #expect(outcome.output.contains("used by process \(process.processID)"))
        #expect(
            outcome.output.contains("Port \(ready.port): Kilgo Garage is served by process \(process.processID) (hap)")
                // The port of the console is not that of an accessory.
                && outcome.output.matches(of: #/Port \d+:/#).count == 1
        )
        let outside = try await HapProcess.run("doctor", "127.0.0.1:\(ready.port)")
        #expect(outside.status == 0)
        #expect(outside.output.contains("✓ ok       HTTP: It answers, and refuses unpaired requests (470)."))
        #expect(outside.output.contains("Its identifier in pair-verify is '\(ready.deviceID)'"))
        #expect(try await process.terminate().status == 0)
        let after = try await HapProcess.run("doctor", "127.0.0.1:\(ready.port)", "--json")
        #expect(after.status == 69)
        let object = try #require(try JSONValue(parsing: Array(after.output.utf8)).object)
        #expect(object["status"]?.unsigned == 69)
        #expect(object["target"]?.string == "127.0.0.1:\(ready.port)")
    }

    @Test func requestedPortIsReportedDespiteTheStoredOne() async throws {
        let (first, stored) = try await HapProcess.serving(in: folder)
        #expect(try await first.terminate().status == 0)
        let free = try StubListener(response: nil).port
        let (second, _) = try await HapProcess.serving(in: folder, "--port", "\(free)")
        let outcome = try await HapProcess.run("doctor", "--state", folder("state"))
        #expect(outcome.output.contains("Port \(free): Kilgo Garage is served by process \(second.processID)"))
        #expect(!outcome.output.contains("Port \(stored.port):"))
        #expect(try await second.terminate().status == 0)
    }
}
