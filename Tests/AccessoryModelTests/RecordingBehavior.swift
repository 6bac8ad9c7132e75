import AccessoryModel
import HAPCore

/// A behavior that records its calls and returns prepared responses.
struct RecordingBehavior: Behavior {
    /// The response to every write.
    var response = BehaviorResponse()
    /// The changes that every advance returns.
    var changesOnAdvance: [BehaviorChange] = []
    var nextDeadline: MonotonicInstant?

    private(set) var started: [[CharacteristicType: CharacteristicValue]] = []
    private(set) var writes: [[BehaviorChange]] = []
    private(set) var advances: [MonotonicInstant] = []

    mutating func start(
        with values: [CharacteristicType: CharacteristicValue],
        of types: [CharacteristicType],
        at now: MonotonicInstant
    ) -> [BehaviorChange] {
        started.append(values)
        return []
    }

    mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
        self.writes.append(writes)
        return response
    }

    mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
        advances.append(now)
        nextDeadline = nil
        return changesOnAdvance
    }
}
