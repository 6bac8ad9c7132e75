import Foundation
import TestSupport
import Testing

/// The process of `hap run`: its signals and its devices.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RunProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func scenario(_ steps: String, head: String = "") throws -> String {
        try folder.write("scenario: Test\n\(head)steps:\n\(steps)\n", to: "scenario.yaml")
    }

    /// A thermostat whose temperature never stops changing.
    private static let thermostat = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Accessories/thermostat.yaml").standardizedFileURL.path

    @Test func reportIsWrittenToADevice() async throws {
        let file = try scenario("  - { log: Hello }")
        let printed = try await HapProcess.run("run", file, "--report", "/dev/stdout")
        #expect(printed.status == 0 && printed.output.contains("Hello\n"), "\(printed)")
        #expect(printed.output.hasSuffix("</testsuites>\n"))
        let full = try await HapProcess.run("run", file, "--report", "/dev/full")
        #expect(full.status == 1 && full.errors.contains("could not be written"), "\(full)")
        var device = stat()
        #expect(stat("/dev/full", &device) == 0 && device.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func signalEndsPassingTimeWithoutAFailedExpectation() async throws {
        let file = try scenario(
            "  - { log: Begun }\n  - { advance: 3650d }\n  - { log: Over }",
            head: "serve: \(Self.thermostat)\n"
        )
        for arguments in [["--real-time"], []] {
            let report = folder("report.xml")
            let process = try HapProcess(["run", file, "--report", report] + arguments)
            try await HapProcess.wait { process.output.contains("log Begun") }
            let outcome = try await process.terminate()
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.output.contains("Ended by a signal during \"advance by 3650d\"."))
            let text = try String(contentsOfFile: report, encoding: .utf8)
            #expect(text.contains("failures=\"0\" errors=\"1\" skipped=\"1\""))
            #expect(text.contains("<error message=\"Ended by a signal during"))
        }
    }
}
