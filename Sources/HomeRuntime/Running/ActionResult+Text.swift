internal import AccessoryModel
internal import HAPCore
package import HomeModel

extension ActionResult {
    /// Returns the outcome as text, with the name of the accessory if it does not answer.
    package func failureReason(in home: Home) -> String {
        guard outcome.isUnreachable, let accessory = home.accessory(of: action.characteristic.service) else {
            return outcome.text
        }
        return "\(accessory.name): \(outcome.text)"
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
