import AccessoryFiles
import AccessoryModel
import HAPServer

/// Why a command did not do what it was asked: a sentence with the way out, and the exit code.
struct CommandFailure: Error, Sendable, Hashable {
    /// What the exit codes mean to scripts.
    enum Code: Int32, Sendable {
        case failed = 1
        case refused = 2
        case usage = 64
        case fileContent = 65
        case unavailable = 69
    }

    var code: Code
    var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Everything that is wrong with files, a line each.
    init(_ findings: [FileFinding]) {
        self.init(.fileContent, findings.map(\.line).joined(separator: "\n     "))
    }

    init(_ error: StoreError) {
        self.init(.failed, error.description)
    }

    init(_ error: ServerError) {
        self.init(error.code == .declaration ? .fileContent : .failed, error.description)
    }
}
