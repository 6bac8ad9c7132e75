import AccessoryFiles
import AccessoryModel
import Documents
import HAPController
import HAPCore
import HAPServer
import HomeModel

/// The reason why a command failed: a sentence with a remedy, and the exit code.
struct CommandFailure: Error, Sendable, Hashable {
    /// The exit codes, which scripts can rely on.
    enum Code: Int32, Sendable {
        case failed = 1
        case refused = 2
        case usage = 64
        case fileContent = 65
        case unavailable = 69
    }

    var code: Code
    var message: String
    /// Whether the message consists of `file:line:column:` lines for other programs.
    ///
    /// They are printed without a prefix.
    private(set) var isDiagnosticList = false
    /// The diagnostics about files in the message.
    private(set) var diagnostics: [Diagnostic] = []

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func failed(_ message: String) -> CommandFailure { CommandFailure(.failed, message) }

    static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }

    static func fileContent(_ message: String) -> CommandFailure { CommandFailure(.fileContent, message) }

    static func unavailable(_ message: String) -> CommandFailure { CommandFailure(.unavailable, message) }

    /// Creates a failure with one line for each diagnostic.
    init(_ findings: [Diagnostic]) {
        self.init(.fileContent, findings.map(\.line).joined(separator: "\n"))
        isDiagnosticList = true
        self.diagnostics = findings
    }

    /// Creates a failure for a configuration file, with one line for each diagnostic.
    init(inConfiguration findings: [Diagnostic]) {
        self.init(.fileContent, findings.map { "\($0)." }.joined(separator: "\n     "))
        self.diagnostics = findings
    }

    /// The failure of a command that a signal interrupted while it was reading a file.
    static let interrupted = CommandFailure.failed("A signal interrupted the start.")

    init(_ error: StoreError) {
        self.init(.failed, error.description)
    }

    init(_ error: ServerError) {
        self.init(error.code == .declaration ? .fileContent : .failed, error.description)
    }
}

extension CommandFailure {
    /// Converts an error of a store, the controller, a home or a file to a failure; returns any other error unchanged.
    static func commandError(for error: any Error) -> any Error {
        switch error {
        case let error as StoreError: CommandFailure(error)
        case let error as ControllerError: CommandFailure(error)
        case let error as HomeError: CommandFailure(error)
        case let error as HomeStoreError: CommandFailure(error)
        case let error as DocumentError: CommandFailure(error.diagnostics)
        default: error
        }
    }

    /// Creates the failure for an error of the controller.
    init(_ error: ControllerError) {
        let code: Code =
            switch error.code {
            case .unreachable, .timedOut, .notFound, .connectionLost, .discovery: .unavailable
            case .wrongCode, .alreadyPaired, .busy, .tooManyTries, .maxPeers, .refused, .unproven, .requestFailed:
                .refused
            case .unknownAccessory, .unknownCharacteristic, .invalidValue, .aliasTaken: .usage
            case .wrongAccessory, .malformed, .store, .overflow, .cancelled, .closed: .failed
            }
        self.init(code, error.description.escapingControlCharacters)
    }

    /// Creates the failure for the reads or writes that an accessory refused, with the status of each.
    ///
    /// Returns `nil` if the accessory refused none.
    init?(refusals results: [CharacteristicResult], of found: [FoundCharacteristic]) {
        let refused = zip(results, found).filter { !$0.0.isSuccess }
        guard !refused.isEmpty else { return nil }
        let sentences = refused.map { result, found in
            let hint = found.writableCounterpart.map { "; write \($0.escapingControlCharacters)" } ?? ""
            return "\(found.characteristic.name.escapingControlCharacters) (\(result.id)): \(result.statusText)\(hint)"
        }
        self.init(.refused, sentences.joined(separator: "; ") + ".")
    }
}

/// Runs some work, and converts its errors to failures.
func withCommandFailures<Result>(_ work: () throws -> Result) throws(CommandFailure) -> Result {
    do {
        return try work()
    } catch {
        throw CommandFailure.commandError(for: error) as? CommandFailure ?? CommandFailure.failed("\(error)")
    }
}

/// Runs some asynchronous work, and converts its errors to failures.
func withAsyncCommandFailures<Result>(_ work: () async throws -> Result) async throws(CommandFailure) -> Result {
    do {
        return try await work()
    } catch {
        throw CommandFailure.commandError(for: error) as? CommandFailure ?? CommandFailure.failed("\(error)")
    }
}

extension FoundCharacteristic {
    /// The name of the target characteristic to write instead of a read-only current state, or `nil` if there is none.
    fileprivate var writableCounterpart: String? {
        guard !characteristic.permissions.contains(.write), let target = Catalog.target(ofCurrent: characteristic.type)
        else { return nil }
        return service.characteristics.first { $0.type == target }?.name
    }
}

extension CharacteristicResult {
    /// The description of the status in HAP, or the number of a status that HAP does not define.
    var statusText: String {
        HAPStatus.text(ofCode: code)
    }
}
