internal import AccessoryModel
package import Documents
package import HAPServer
package import HomeModel
internal import Storage

/// The reason why the process or a command failed: a sentence with a remedy, and the exit code.
package struct HostError: Error, Sendable, Hashable {
    /// The exit codes, which scripts can rely on.
    package enum Code: Int32, Sendable {
        case failed = 1
        case refused = 2
        case usage = 64
        case fileContent = 65
        case unavailable = 69
    }

    package var code: Code
    package var message: String
    /// Whether the message consists of `file:line:column:` lines for other programs.
    ///
    /// They are printed without a prefix.
    package private(set) var isDiagnosticList = false
    /// The diagnostics about files in the message.
    package private(set) var diagnostics: [Diagnostic] = []

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package static func failed(_ message: String) -> HostError { HostError(.failed, message) }

    package static func usage(_ message: String) -> HostError { HostError(.usage, message) }

    package static func fileContent(_ message: String) -> HostError { HostError(.fileContent, message) }

    package static func unavailable(_ message: String) -> HostError { HostError(.unavailable, message) }

    /// Creates a failure with one line for each diagnostic.
    package init(_ findings: [Diagnostic]) {
        self.init(.fileContent, findings.map(\.line).joined(separator: "\n"))
        isDiagnosticList = true
        self.diagnostics = findings
    }

    /// Creates a failure for a configuration file, with one line for each diagnostic.
    package init(inConfiguration findings: [Diagnostic]) {
        self.init(.fileContent, findings.map { "\($0)." }.joined(separator: "\n     "))
        self.diagnostics = findings
    }

    /// The failure of a command that a signal interrupted while it was reading a file.
    package static let interrupted = HostError.failed("A signal interrupted the start.")

    package init(_ error: StoreError) {
        self.init(.failed, error.description)
    }

    /// Creates the failure for a violated rule, or for a name that is unknown or ambiguous.
    package init(_ error: HomeError) {
        self.init(.usage, error.description.escapingControlCharacters)
    }

    /// Creates the failure for homes that could not be stored.
    package init(_ error: HomeStoreError) {
        switch error {
        case .refused(let error): self.init(error)
        case .store(let error): self.init(error)
        case .conflict: self.init(.failed, error.description)
        }
    }

    package init(_ error: ServerError) {
        self.init(error.code == .declaration ? .fileContent : .failed, error.description)
    }
}

extension HostError {
    /// Returns the failure that a number of copies is given together with files.
    package static func copiesOfFiles(_ code: Code) -> HostError {
        HostError(code, "The number of copies applies only to the Kilgo garage; give either files or copies.")
    }
}

extension Result where Failure == DocumentError {
    /// The result, with the errors of a file as those of the process.
    package var hosted: Result<Success, HostError> { mapError { HostError($0.diagnostics) } }
}
