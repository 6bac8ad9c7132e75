internal import HAPCore

/// The values that have changed since they were saved, and whether a save is scheduled.
struct UnsavedValues: Sendable {
    private var ids: Set<CharacteristicID> = []
    private var isScheduled = false

    mutating func insert(_ id: CharacteristicID) {
        ids.insert(id)
    }

    /// Returns whether to schedule a save, and records that one is scheduled.
    mutating func schedule() -> Bool {
        guard !ids.isEmpty, !isScheduled else { return false }
        isScheduled = true
        return true
    }

    /// Records that the timer has fired.
    mutating func timerFired() {
        isScheduled = false
    }

    /// Removes and returns all values, which the caller saves.
    mutating func take() -> Set<CharacteristicID> {
        defer { ids = [] }
        return ids
    }

    /// Adds values again that could not be saved.
    mutating func restore(_ failed: Set<CharacteristicID>) {
        ids.formUnion(failed)
    }
}
