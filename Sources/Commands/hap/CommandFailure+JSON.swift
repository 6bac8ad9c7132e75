import Documents
import HAPCore
import Hosting

extension CommandFailure {
    /// The failure in the form that `--json` prints on standard error: an object with a list of `diagnostics`.
    var json: String {
        JSONWriter.line { writer in
            if diagnostics.isEmpty {
                writer.list("diagnostics", [message]) { message, writer in
                    writer.members(ofErrorWithCode: code.name, message)
                }
            } else {
                writer.list("diagnostics", diagnostics) { $1.members(of: $0) }
            }
        }
    }
}

extension CommandFailure.Code {
    /// The name of the exit code in JSON.
    var name: String {
        switch self {
        case .failed: "failed"
        case .refused: "refused"
        case .usage: "usage"
        case .fileContent: "file"
        case .unavailable: "unavailable"
        }
    }
}

extension JSONWriter {
    /// Writes the members of an error that has no location in a file.
    mutating func members(ofErrorWithCode code: String, _ message: String) {
        member("severity", "error")
        member("code", code)
        member("message", message)
    }

    /// Writes the members of a diagnostic about a file.
    mutating func members(of diagnostic: Diagnostic) {
        member("severity", diagnostic.severity == .error ? "error" : "warning")
        member("code", CommandFailure.Code.fileContent.name)
        member("message", diagnostic.reason)
        object("location") { writer in
            writer.member("file", diagnostic.file)
            if let position = diagnostic.position {
                writer.member("line", position.line)
                writer.member("column", position.column)
            }
            writer.member("path", ifPresent: diagnostic.path.isEmpty ? nil : diagnostic.path)
        }
        member("count", ifPresent: diagnostic.count > 1 ? diagnostic.count : nil)
    }
}
