import AccessoryModel
import HAPCore

/// A behavior that notes what it is told and answers with what it was given.
struct RecordingBehavior: Behavior {
    /// What it answers to every write.
    var response = BehaviorResponse()
    /// What it answers to every advance.
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
