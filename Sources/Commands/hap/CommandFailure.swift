import AccessoryFiles
import AccessoryModel
import Documents
import HAPController
import HAPCore
import HomeModel
import Hosting
import Resources

/// The reason why a command failed, which is also that of the process which hosts servers.
typealias CommandFailure = HostError

extension CommandFailure {
    /// Converts an error of a store, the controller, a home or a file to a failure; returns any other error unchanged.
    static func commandError(for error: any Error) -> any Error {
        switch error {
        case let error as StoreError: CommandFailure(error)
        case let error as ControllerError: CommandFailure(error)
        case let error as HomeError:
            CommandFailure(
                error == .changedMeanwhile ? .failed : .usage,
                error.description(adding: error.command).escapingControlCharacters
            )
        case HomeStoreError.refused(let error): commandError(for: error)
        case let error as HomeStoreError: CommandFailure(error)
        case let error as DocumentError: CommandFailure(error.diagnostics)
        default: error
        }
    }

    /// Creates a failure from an error, for callers that inspect or print it before the command ends.
    init(_ error: any Error) {
        self = Self.commandError(for: error) as? CommandFailure ?? .failed("\(error)")
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
        self.init(code, error.description(adding: error.command).escapingControlCharacters)
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

// MARK: JSON

extension CommandFailure {
    /// The object that a failed command prints on standard error with `--json`.
    static let format = Format<CommandFailure>(
        response: "Failure",
        .written(
            "diagnostics",
            \.findings,
            Format(written: .array(of: DiagnosticResource.format.schema, minimum: 1)) { findings in
                .list(findings.map(DiagnosticResource.format.write))
            },
            "The errors and warnings, at least one."
        )
    )

    var json: String { Self.format.json(self) + "\n" }

    private var findings: [DiagnosticResource] {
        diagnostics.isEmpty
            ? [DiagnosticResource(code.resource, message)] : diagnostics.map { DiagnosticResource($0) }
    }
}

extension CommandFailure.Code {
    /// The code in JSON.
    var resource: DiagnosticResource.Code {
        switch self {
        case .failed: .failed
        case .refused: .refused
        case .usage: .usage
        case .fileContent: .file
        case .unavailable: .unavailable
        }
    }
}
