/// The changes of one request, command or tick, one for each characteristic.
package struct ChangeSet: Sendable {
    package private(set) var changes: [ValueChange] = []

    package init() {}

    package var isEmpty: Bool {
        changes.isEmpty
    }

    /// Takes the changes that came after these.
    package mutating func add(_ later: ChangeSet) {
        for change in later.changes {
            note(change)
        }
    }

    /// Takes another change, folding it into an earlier one of the same characteristic.
    mutating func note(_ change: ValueChange) {
        guard let earlier = changes.firstIndex(where: { $0.index == change.index }) else {
            changes.append(change)
            return
        }
        changes[earlier].value = change.value
        changes[earlier].written = change.written ?? changes[earlier].written
    }
}
