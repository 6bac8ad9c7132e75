import Foundation
import HAPCore
import Simulation

/// What became of a scenario, as programs that collect tests' results read it.
///
/// Times are those of the simulation's clock, in seconds.
struct JUnitReport {
    private let result: ScenarioResult
    private let file: String

    init(_ result: ScenarioResult, of file: String) {
        self.result = result
        self.file = file
    }

    /// The report as XML.
    var text: String {
        let failures = result.steps.count { if case .failed = $0.outcome { true } else { false } }
        let errors = result.steps.count { $0.outcome == .interrupted }
        let skipped = result.steps.count { $0.outcome == .skipped }
        let time = Self.seconds(result.steps.map(\.end).max() ?? .zero)
        let suite =
            "name=\"\(Self.escaped(result.name))\" tests=\"\(result.steps.count)\" failures=\"\(failures)\" "
            + "errors=\"\(errors)\" skipped=\"\(skipped)\" time=\"\(time)\""
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites>",
            "  <testsuite \(suite) file=\"\(Self.escaped(file))\">",
        ]
        for (index, step) in result.steps.enumerated() {
            let head =
                "    <testcase name=\"\(Self.escaped("\(index + 1). \(step.title)"))\" "
                + "classname=\"\(Self.escaped(result.name))\" file=\"\(Self.escaped(file))\" line=\"\(step.place.line)\" "
                + "time=\"\(Self.seconds(step.end - step.start))\""
            switch step.outcome {
            case .passed(""): lines.append("\(head)/>")
            case .passed(let words):
                let text = Self.escaped(words)
                lines += ["\(head)>", "      <system-out>\(text)</system-out>", "    </testcase>"]
            case .skipped: lines += ["\(head)>", "      <skipped/>", "    </testcase>"]
            case .failed: lines += problem("failure", of: step, head)
            // No expectation has failed: nobody knows what would have become of it.
            case .interrupted: lines += problem("error", of: step, head)
            }
        }
        return (lines + ["  </testsuite>", "</testsuites>", ""]).joined(separator: "\n")
    }

    private func problem(_ kind: String, of step: StepResult, _ head: String) -> [String] {
        let text = Self.escaped(step.reason ?? "")
        return ["\(head)>", "      <\(kind) message=\"\(text)\">\(text)</\(kind)>", "    </testcase>"]
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.clampedNanoseconds / 1_000_000)
        let rest = String(milliseconds % 1_000 + 1_000).dropFirst()
        return "\(milliseconds / 1_000).\(rest)"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.printable.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // XML has no way to write these.
            case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
