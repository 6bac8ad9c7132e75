package import AccessoryModel
package import HAPCore

/// An input of a television: Current Visibility State follows Target Visibility State at once.
///
/// HAP: §20
package struct InputSource: Behavior {
    private var isHidden = false
    private var fitted: Set<CharacteristicType> = [.currentVisibilityState]

    /// Creates an input that is shown.
    package init() {}

    /// Takes over the target, and else what is current.
    package mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        fitted.formUnion(values.keys)
        isHidden = (values[.targetVisibilityState] ?? values[.currentVisibilityState])?.isSwitchedOn ?? false
        var ledger = ChangeLedger(known: values)
        ledger.note(self.values)
        return ledger.changes
    }

    package mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        var ledger = ChangeLedger(known: values)
        var refusals: [CharacteristicType: HAPStatus] = [:]
        for write in writes {
            switch write.type {
            case .targetVisibilityState:
                guard let written = write.value.isSwitchedOn else {
                    refusals[write.type] = .invalidValue
                    continue
                }
                isHidden = written
                ledger.stored(BehaviorChange(.targetVisibilityState, .integer(written ? 1 : 0)))
            case .currentVisibilityState:
                refusals[write.type] = .readOnly
            default:
                break
            }
        }
        ledger.note(values)
        return BehaviorResponse(refusals: refusals, changes: ledger.changes)
    }

    package var nextDeadline: MonotonicInstant? {
        nil
    }

    package mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        []
    }

    private var values: [BehaviorChange] {
        [
            BehaviorChange(.targetVisibilityState, .integer(isHidden ? 1 : 0)),
            BehaviorChange(.currentVisibilityState, .integer(isHidden ? 1 : 0)),
        ]
        .filter { fitted.contains($0.type) }
    }
}
