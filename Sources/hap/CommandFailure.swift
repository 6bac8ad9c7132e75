import AccessoryFiles
import AccessoryModel
import Documents
import HAPController
import HAPCore
import HAPServer
import HomeModel

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
    /// Whether the message has lines for programs that look for `file:line:column:`, and so nothing in front of it.
    private(set) var isDiagnosticList = false
    /// What of it are findings in files.
    private(set) var diagnostics: [Diagnostic] = []

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func failed(_ message: String) -> CommandFailure { CommandFailure(.failed, message) }

    static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }

    static func fileContent(_ message: String) -> CommandFailure { CommandFailure(.fileContent, message) }

    static func unavailable(_ message: String) -> CommandFailure { CommandFailure(.unavailable, message) }

    /// Everything that is wrong with files, a line each.
    init(_ findings: [Diagnostic]) {
        self.init(.fileContent, findings.map(\.line).joined(separator: "\n"))
        isDiagnosticList = true
        self.diagnostics = findings
    }

    /// What is wrong with a configuration file, in one sentence or a line each.
    init(inConfiguration findings: [Diagnostic]) {
        self.init(.fileContent, findings.map { "\($0)." }.joined(separator: "\n     "))
        self.diagnostics = findings
    }

    /// The end of a reading that a signal has ended.
    static let interrupted = CommandFailure.failed("Reading was ended by a signal.")

    init(_ error: StoreError) {
        self.init(.failed, error.description)
    }

    init(_ error: ServerError) {
        self.init(error.code == .declaration ? .fileContent : .failed, error.description)
    }
}

extension CommandFailure {
    /// Returns what an error means to scripts, and other errors as they are.
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

    /// What an error of the controller means to scripts, with the protocol's own word for it.
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

    /// What an accessory has refused of a request, each with its status; `nil` when nothing was refused.
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

/// Does some work, and throws what its errors mean to scripts.
func withCommandFailures<Result>(_ work: () throws -> Result) throws(CommandFailure) -> Result {
    do {
        return try work()
    } catch {
        throw CommandFailure.commandError(for: error) as? CommandFailure ?? CommandFailure.failed("\(error)")
    }
}

/// The same with work that waits.
func withAsyncCommandFailures<Result>(_ work: () async throws -> Result) async throws(CommandFailure) -> Result {
    do {
        return try await work()
    } catch {
        throw CommandFailure.commandError(for: error) as? CommandFailure ?? CommandFailure.failed("\(error)")
    }
}

extension FoundCharacteristic {
    /// The name of the target to write in place of a current state that cannot be written; `nil` if there is none.
    fileprivate var writableCounterpart: String? {
        guard !characteristic.permissions.contains(.write), let target = Catalog.target(ofCurrent: characteristic.type)
        else { return nil }
        return service.characteristics.first { $0.type == target }?.name
    }
}

extension CharacteristicResult {
    /// The status in HAP's words, a vendor's as its number.
    var statusText: String {
        HAPStatusText.text(code)
    }
}

/// A status in HAP's words, a vendor's as its number.
enum HAPStatusText {
    static func text(_ code: Int64) -> String {
        Int32(exactly: code).flatMap(HAPStatus.init)?.description ?? "\(code) (a status that HAP does not know)"
    }
}
