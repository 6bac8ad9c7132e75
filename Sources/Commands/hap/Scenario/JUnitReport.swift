import Glibc
import HAPCore
import Hosting
import Simulation

/// The results of scenarios in JUnit's XML format, which tools that collect test results can read.
///
/// Times are in seconds of the simulation's clock.
struct JUnitReport {
    /// The results, each with the path of its file.
    let results: [(result: ScenarioResult, file: String)]

    /// The report as XML.
    var text: String {
        let suites = results.flatMap(suite)
        return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"] + suites + ["</testsuites>", ""])
            .joined(separator: "\n")
    }

    private func suite(_ result: ScenarioResult, _ file: String) -> [String] {
        let failures = result.steps.count { if case .failed = $0.outcome { true } else { false } }
        let errors = result.steps.count { $0.outcome == .interrupted }
        let skipped = result.steps.count { $0.outcome == .skipped }
        let time = Self.seconds(result.steps.map(\.end).max() ?? .zero)
        let suite =
            "name=\"\(Self.escaped(result.name))\" tests=\"\(result.steps.count)\" failures=\"\(failures)\" "
            + "errors=\"\(errors)\" skipped=\"\(skipped)\" time=\"\(time)\""
        var lines = ["  <testsuite \(suite) file=\"\(Self.escaped(file))\">"]
        for (index, step) in result.steps.enumerated() {
            let head =
                "    <testcase name=\"\(Self.escaped("\(index + 1). \(step.title)"))\" "
                + "classname=\"\(Self.escaped(result.name))\" file=\"\(Self.escaped(file))\" line=\"\(step.line)\" "
                + "time=\"\(Self.seconds(step.end - step.start))\""
            switch step.outcome {
            case .passed(""): lines.append("\(head)/>")
            case .passed(let words):
                let text = Self.escaped(words)
                lines += ["\(head)>", "      <system-out>\(text)</system-out>", "    </testcase>"]
            case .skipped: lines += ["\(head)>", "      <skipped/>", "    </testcase>"]
            case .failed: lines += problemElement("failure", of: step, head)
            // An interrupted step is an error, not a failure, because its expectation was not evaluated completely.
            case .interrupted: lines += problemElement("error", of: step, head)
            }
        }
        return lines + ["  </testsuite>"]
    }

    private func problemElement(_ kind: String, of step: StepResult, _ head: String) -> [String] {
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
            // XML cannot represent these characters.
            case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// The destination of a report: a file that is replaced atomically, or a device or pipe that is written to.
struct ReportFile: Sendable {
    private enum Kind {
        /// A file that exists or will be created.
        case file
        /// A device or pipe that is written in place, because a file must not replace it.
        case stream
        /// A file that this process already writes to, such as `/dev/stdout`.
        case open(Int32)
    }

    private let name: String
    private let kind: Kind

    /// Checks that the report can be written, before the scenario starts.
    ///
    /// - Parameters:
    ///   - name: The path of the report.
    ///   - inputs: The input files, which the report must not replace.
    /// - Throws: ``CommandFailure`` with a remedy.
    init(_ name: String, besides inputs: [String]) throws {
        self.name = name
        var found = stat()
        guard stat(name, &found) == 0 else {
            try Self.checkFile(name)
            kind = .file
            return
        }
        if let descriptor = [CommandContext.current.output, CommandContext.current.errors]
            .first(where: { Self.status(of: $0)?.isSame(as: found) ?? false })
        {
            kind = .open(descriptor)
            return
        }
        switch found.st_mode & S_IFMT {
        case S_IFCHR, S_IFIFO:
            kind = .stream
        case S_IFREG:
            for input in inputs {
                var other = stat()
                guard stat(input, &other) != 0 || !other.isSame(as: found) else {
                    throw CommandFailure.usage(
                        "\(name.printable) is an input of the run that the report would replace; name another file."
                    )
                }
            }
            try Self.checkFile(name)
            kind = .file
        default:
            throw CommandFailure.usage("\(name.printable) is not a file; name a file for the report.")
        }
    }

    /// Writes the report.
    ///
    /// - Throws: ``CommandFailure`` when not all of it can be written.
    func write(_ bytes: [UInt8]) throws {
        switch kind {
        case .file: try OutputFile(name, isSecret: false).write(bytes)
        case .open(let descriptor): try FileDescriptorWriter.write(bytes, to: descriptor)
        case .stream:
            // Opening a pipe without a reader would block the program forever.
            let descriptor = open(name, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard descriptor >= 0 else {
                throw CommandFailure.failed(
                    "\(name.printable) cannot be opened; start the reader of the pipe first, or name a file."
                )
            }
            defer { close(descriptor) }
            // A file may have taken its place since the start.
            guard let status = Self.status(of: descriptor), [S_IFCHR, S_IFIFO].contains(status.st_mode & S_IFMT) else {
                throw CommandFailure.failed("\(name.printable) is no longer a pipe or a device; name a file.")
            }
            _ = fcntl(descriptor, F_SETFL, 0)
            try FileDescriptorWriter.write(bytes, to: descriptor)
        }
    }

    /// Checks that a file can be created or replaced.
    private static func checkFile(_ name: String) throws {
        guard !name.isEmpty else { throw CommandFailure.usage("The report has no name; name a file to write.") }
        do {
            try OutputFile(name, isSecret: false).check(isReplacing: true)
        } catch {
            throw CommandFailure.usage(CommandFailure(error).message)
        }
    }

    private static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }
}

extension stat {
    fileprivate func isSame(as other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino
    }
}
