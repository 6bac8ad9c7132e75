import AccessoryFiles
import AccessoryModel
import Documents
import HAPController
import HAPCore
import HomeModel
import Hosting

/// The reason why a command failed, which is also that of the process which hosts servers.
typealias CommandFailure = HostError

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
