import Documents
import Hosting
import Resources

/// The report of `hap doctor`, as text or JSON.
struct DoctorReport: Sendable {
    /// The accessory that was inspected, or `nil` for this machine.
    var target: String?
    var results: [CheckResult]

    /// The exit status: 0 for no problems, 1 for problems, and 69 if the accessory or the daemon does not answer.
    var status: Int32 {
        if results.contains(where: { $0.state == .unreachable }) { return CommandFailure.Code.unavailable.rawValue }
        return results.contains { $0.state == .problem } ? CommandFailure.Code.failed.rawValue : 0
    }

    /// One line for each result with its remedy below it, and a summary at the end.
    var text: String {
        var lines: [String] = []
        for result in results {
            lines.append("\(Self.mark(result.state))  \(result.subject): \(result.sentence)")
            if let remedy = result.remedy {
                lines.append("           → \(remedy)")
            }
        }
        let problems = results.count { $0.state == .problem || $0.state == .unreachable }
        let notes = results.count { $0.state == .note }
        lines.append("")
        lines.append(
            problems + notes == 0
                ? "No problems found." : "\(counted(problems, "problem")), \(counted(notes, "note"))."
        )
        return lines.joined(separator: "\n") + "\n"
    }

    static let format = Format<DoctorReport>(
        response: "DoctorReport",
        .written("target", \.target, .string, "The accessory that was inspected; absent for this machine."),
        .written("status", \.status, .integer, "The exit code."),
        .written("checks", \.results, .list(of: CheckResult.format), "The results.")
    )

    /// Returns a symbol and a word, padded to a constant width.
    private static func mark(_ state: CheckResult.State) -> String {
        switch state {
        case .ok: "✓ ok     "
        case .note: "– note   "
        case .problem, .unreachable: "✗ problem"
        }
    }
}

/// The result of one check of `hap doctor`, with a remedy.
struct CheckResult: Sendable, Hashable {
    /// The severity of a result.
    enum State: Sendable {
        case ok
        /// The subject works, but may be the cause of another problem.
        case note
        /// The subject does not work.
        case problem
        /// The subject does not work because it does not answer.
        case unreachable

        /// The value in JSON: `ok`, `note` or `error`.
        var severity: String {
            switch self {
            case .ok: "ok"
            case .note: "note"
            case .problem, .unreachable: "error"
            }
        }
    }

    let subject: String
    let state: State
    let sentence: String
    let remedy: String?
    /// The measured times for the JSON output, by name.
    let microseconds: [String: Int]

    init(
        _ subject: String,
        _ state: State,
        _ sentence: String,
        remedy: String? = nil,
        microseconds: [String: Int] = [:]
    ) {
        self.subject = subject
        self.state = state
        self.sentence = sentence.printable
        self.remedy = remedy?.printable
        self.microseconds = microseconds
    }

    static let format = Format<CheckResult>(
        response: "CheckResult",
        .written("subject", \.subject, .string, "What was checked."),
        .written("severity", \.state.severity, .word(["ok", "note", "error"]), "The result."),
        .written("code", \.code, .word(["unavailable"]), "unavailable if the subject does not answer."),
        .written("message", \.sentence, .string, "The result in a sentence."),
        .written("remedy", \.remedy, .string, "What to do."),
        .written("microseconds", \.measured, .map(of: .count), "Measured times, if there are any.")
    )

    private var code: String? { state == .unreachable ? "unavailable" : nil }
    private var measured: [String: Int]? { microseconds.isEmpty ? nil : microseconds }

    /// Quotes a text from another source in a sentence, truncated to 80 characters.
    static func quotedExcerpt(_ text: String) -> String {
        text.count > 80 ? "'\(text.prefix(80))…'" : "'\(text)'"
    }
}

/// The subject of check results, which creates them.
struct CheckSubject {
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    func ok(_ sentence: String) -> CheckResult {
        CheckResult(name, .ok, sentence)
    }

    func note(_ sentence: String, remedy: String? = nil) -> CheckResult {
        CheckResult(name, .note, sentence, remedy: remedy)
    }

    func problem(_ sentence: String, remedy: String? = nil) -> CheckResult {
        CheckResult(name, .problem, sentence, remedy: remedy)
    }

    func unreachable(_ sentence: String, remedy: String) -> CheckResult {
        CheckResult(name, .unreachable, sentence, remedy: remedy)
    }
}

extension [CheckResult] {
    static func += (diagnostics: inout [CheckResult], diagnostic: CheckResult) {
        diagnostics.append(diagnostic)
    }
}
