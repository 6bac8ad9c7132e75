internal import HAPCore

/// The values that have changed since they were stored, and whether a time is set at which they are.
struct UnsavedValues: Sendable {
    private var ids: Set<CharacteristicID> = []
    private var isScheduled = false

    mutating func insert(_ id: CharacteristicID) {
        ids.insert(id)
    }

    /// Returns whether to set a timer, which is set then.
    mutating func schedule() -> Bool {
        guard !ids.isEmpty, !isScheduled else { return false }
        isScheduled = true
        return true
    }

    /// Notes that the timer has fired.
    mutating func timerFired() {
        isScheduled = false
    }

    /// Takes all of them, to be stored.
    mutating func take() -> Set<CharacteristicID> {
        defer { ids = [] }
        return ids
    }

    /// Takes those back that the store has not taken.
    mutating func restore(_ failed: Set<CharacteristicID>) {
        ids.formUnion(failed)
    }
}
