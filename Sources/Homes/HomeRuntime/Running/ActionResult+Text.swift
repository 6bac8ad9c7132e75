internal import AccessoryModel
internal import HAPCore
package import HomeModel

extension ActionResult {
    /// Returns the outcome as text, with the name of the accessory if it does not answer.
    package func failureReason(in home: some HomeLookup) -> String {
        if let service = home.service(action.characteristic.service), isBarred(service) {
            return "\(outcome.text). Its lock may be secured: unlock \(service.name) first."
        }
        guard outcome.isUnreachable, let accessory = home.accessory(of: action.characteristic.service) else {
            return outcome.text
        }
        return "\(accessory.name): \(outcome.text)"
    }

    /// Returns whether a door with a lock has refused to open.
    private func isBarred(_ service: HomeService) -> Bool {
        outcome == .refused(code: Int64(HAPStatus.notAllowedInCurrentState.rawValue))
            && action.characteristic.type == .targetDoorState && action.value == 0
            && service.characteristic(.lockTargetState) != nil
    }
}

extension ActionResult.Outcome {
    /// The outcome as text.
    fileprivate var text: String {
        switch self {
        case .succeeded: "done"
        case .refused(let code): HAPStatus.text(ofCode: code)
        case .unreachable(let reason): reason.escapingControlCharacters
        case .notSent(let error): "\(error.reason) \(error.remedy)".escapingControlCharacters
        }
    }

    /// The outcome as an identifier in JSON.
    package var scriptWord: String {
        switch self {
        case .succeeded: "done"
        case .refused: "refused"
        case .unreachable: "unreachable"
        case .notSent: "notSent"
        }
    }

    /// Whether the accessory did not answer.
    package var isUnreachable: Bool {
        if case .unreachable = self { true } else { false }
    }
}
