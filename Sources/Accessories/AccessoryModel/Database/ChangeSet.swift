package import HAPCore

/// The changes of one request, command or tick, with at most one change for each characteristic.
package struct ChangeSet: Sendable {
    package private(set) var changes: [ValueChange] = []
    /// The position of each characteristic's change; empty while a linear search is faster.
    private var positions: [Int: Int] = [:]

    /// The maximum number of changes for which a linear search is faster.
    private static let linearSearchLimit = 16

    package init() {}

    package var isEmpty: Bool {
        changes.isEmpty
    }

    /// Adds the changes of a later set.
    package mutating func merge(_ later: ChangeSet) {
        for change in later.changes {
            merge(change)
        }
    }

    /// Adds a change, or merges it with an earlier change of the same characteristic.
    mutating func merge(_ change: ValueChange) {
        guard let earlier = position(of: change.index) else { return append(change) }
        changes[earlier].value = change.value
        changes[earlier].writtenValue = change.writtenValue ?? changes[earlier].writtenValue
    }

    private func position(of index: Int) -> Int? {
        changes.count > Self.linearSearchLimit ? positions[index] : changes.firstIndex { $0.index == index }
    }

    private mutating func append(_ change: ValueChange) {
        changes.append(change)
        guard changes.count > Self.linearSearchLimit else { return }
        for place in (positions.isEmpty ? 0 : changes.count - 1)..<changes.count {
            positions[changes[place].index] = place
        }
    }
}

/// The change of one characteristic's value during one request, command or tick.
package struct ValueChange: Sendable, Hashable {
    /// The index of the characteristic in the database.
    package let index: Int
    package let id: CharacteristicID
    /// The value before the request, command or tick.
    package let previous: CharacteristicValue?
    /// The value after the request, command or tick.
    package var value: CharacteristicValue?
    /// The value that a controller wrote, or `nil` if the change is a consequence.
    package var writtenValue: CharacteristicValue?
    /// Whether every occurrence counts as a change, even if the value repeats.
    package let isButton: Bool

    /// Whether subscribers other than the writer are notified.
    package var notifiesSubscribers: Bool {
        isButton || value != previous
    }

    /// Whether the writer is notified, which is only the case if it does not know the value.
    ///
    /// HAP: §14, §0 (withheld from the writer)
    package var notifiesWriter: Bool {
        writtenValue == nil ? notifiesSubscribers : value != writtenValue
    }
}
