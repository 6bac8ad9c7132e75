import AccessoryModel
import HAPCore

extension Behavior {
    /// Starts with a service whose characteristics all have a value.
    mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        start(with: values, of: Array(values.keys), at: now)
    }
}
