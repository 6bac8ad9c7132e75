package import AccessoryModel
package import HAPCore

/// An input of a television: Current Visibility State follows Target Visibility State at once.
///
/// HAP: §20
package struct InputSource: EventDriven {
    package static let rules: WriteRules = [
        .targetVisibilityState: .state, .currentVisibilityState: .measured,
    ]
    package static let required: [CharacteristicType] = [.currentVisibilityState]

    package var values = ServiceValues(Self.required)

    /// Creates an input that is shown.
    package init() {}

    /// Takes over the target, and else what is current.
    package mutating func restore(at now: MonotonicInstant) {
        let isHidden = (values[.targetVisibilityState] ?? values[.currentVisibilityState])?.isSwitchedOn ?? false
        values.set(.targetVisibilityState, choice: isHidden ? 1 : 0)
        values.set(.currentVisibilityState, choice: isHidden ? 1 : 0)
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        if let isHidden = values.state(.targetVisibilityState) {
            values.set(.currentVisibilityState, choice: isHidden ? 1 : 0)
        }
    }
}
