import Foundation
import HAPCore
import TestSupport
import Testing

/// Commands that find no message bus.
///
/// A process has one address of the bus, which other tests share with the test process.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MissingDaemonProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func missingDaemonIsReportedAndNothingIsCreated() async throws {
        let outcome = try await HapProcess.run("doctor", "--state", folder("state"))
        #expect(outcome.status == 69)
        #expect(outcome.errors == "")
        #expect(outcome.output.contains("✗ problem  Discovery: The D-Bus system bus"))
        #expect(outcome.output.contains("systemctl start dbus avahi-daemon"))
        #expect(!FileManager.default.fileExists(atPath: folder("state")))
    }

    @Test func missingDaemonIsReportedOnceAndTheServerRuns() async throws {
        let (process, _) = try await HapProcess.serving(in: folder, "--advertise", "auto")
        try await HapProcess.wait { process.output.contains("Network: not advertised") }
        let outcome = try await process.terminate()
        #expect(outcome.status == 0)
        let warnings = outcome.output.split(separator: "\n").filter { $0.contains("not advertised") }
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.contains("The D-Bus system bus, and therefore the Avahi daemon, does not answer") == true
        )
        #expect(warnings.first?.hasSuffix("by itself.") == true)
    }

    @Test func requiredAdvertisingWithoutADaemonEndsTheServerWithARemedy() async throws {
        let outcome = try await HapProcess.serve(in: folder, "--advertise", "on", "--ready-file", folder("ready"))
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("systemctl start dbus avahi-daemon"))
        #expect(outcome.errors.count { $0 == "\n" } == 1)
        #expect(!outcome.output.contains("Ready to be paired."))
        #expect(!outcome.output.contains("not advertised"), "the reason is told once")
        #expect(!FileManager.default.fileExists(atPath: folder("ready")))
    }

    @Test(arguments: [[], ["--json"]])
    func missingDaemonIsReported(arguments: [String]) async throws {
        let outcome = try await HapProcess(["discover"] + arguments).outcome()
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("systemctl start dbus avahi-daemon"))
        #expect(!outcome.errors.contains("HOST:PORT"), "it takes none")
        guard arguments == ["--json"] else {
            #expect(outcome.isOneSentence, "\(outcome)")
            return
        }
        let diagnostics = try JSONValue(parsing: Array(outcome.errors.utf8)).object?["diagnostics"]?.array
        #expect(diagnostics?.count == 1)
        #expect(diagnostics?.first?.object?["code"]?.string == "unavailable")
    }

    @Test(arguments: [[], ["--seconds", "3600"]])
    func watchWaitsForADaemonUntilInterrupted(_ arguments: [String]) async throws {
        let process = try HapProcess(["discover", "--watch"] + arguments)
        try await HapProcess.wait { process.errors.contains("Waiting for it.") }
        let outcome = try await process.terminate()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.isEmpty)
    }

    @Test func watchWithoutDaemonTimesOutWithAMessage() async throws {
        let outcome = try await HapProcess.run("discover", "--watch", "--seconds", "0.1")
        #expect(outcome.status == 69)
        #expect(outcome.errors.hasSuffix("hap: No Avahi daemon has answered in that time; see 'hap doctor'.\n"))
    }
}
