import Foundation
import TestSupport
import Testing

/// What only the program has: an exit status, a standard output and a standard error, and an environment.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProgramProcessTests {
    @Test(
        arguments: [
            (["--version"], 0, true), (["--help"], 0, true), (["help", "serve"], 0, true),
            (["types", "lightbulb"], 0, true),
            (["types", "Lightbulp"], 1, false), (["frobnicate"], 64, false), (["serve", "--nope"], 64, false),
            (["validate", "missing.yaml"], 65, true), (["serve", "--config", "missing.yaml"], 65, false),
            (["discover"], 69, false),
        ] as [([String], Int32, Bool)]
    )
    func exitStatusAndOutputAreThoseOfTheCommand(arguments: [String], status: Int32, isOutput: Bool) async throws {
        let process = try await HapProcess(arguments).outcome()
        #expect(process.status == status, "\(process)")
        #expect(process.output.isEmpty != isOutput && process.errors.isEmpty == isOutput, "\(process)")
        // Tests of commands rely on the same words; lines are broken where the terminal of the process ends.
        let command = try await HapCommand(arguments).outcome()
        #expect(command.status == status && command.words == process.words)
    }

    @Test func linesHaveTheTimeZoneOfTheMachine() async throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "Asia/Kathmandu")
        formatter.dateFormat = "yyyy-MM-dd HH:"
        let before = formatter.string(from: Date())
        let outcome = try await HapProcess.run("doctor", "--advertise", "off", environment: ["TZ": "Asia/Kathmandu"])
        let after = formatter.string(from: Date())
        #expect(outcome.output.contains("Clock: It is \(before)") || outcome.output.contains("Clock: It is \(after)"))
    }
}

extension HapOutcome {
    /// The words of the output and of the errors.
    fileprivate var words: [[Substring]] { [output, errors].map { $0.split(whereSeparator: \.isWhitespace) } }
}
