package import HAPCore

/// The changes of one request, command or tick, one for each characteristic.
package struct ChangeSet: Sendable {
    package private(set) var changes: [ValueChange] = []
    /// The position of each characteristic's change; empty while there are few enough for a linear search.
    private var positions: [Int: Int] = [:]

    /// The number of changes up to which a linear search is faster.
    private static let linearSearchLimit = 16

    package init() {}

    package var isEmpty: Bool {
        changes.isEmpty
    }

    /// Adds later changes.
    package mutating func merge(_ later: ChangeSet) {
        for change in later.changes {
            merge(change)
        }
    }

    /// Adds a change, merging it with an earlier one of the same characteristic.
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
    /// The value before all of it.
    package let previous: CharacteristicValue?
    /// The value after all of it.
    package var value: CharacteristicValue?
    /// The written value; `nil` for a consequence.
    package var writtenValue: CharacteristicValue?
    /// Whether it counts even when the value repeats.
    package let isButton: Bool

    /// Whether subscribers other than the writer are notified.
    package var notifiesSubscribers: Bool {
        isButton || value != previous
    }

    /// Whether the writer is notified, which it is only of what it does not know.
    ///
    /// HAP: §14, §0 (withheld from the writer)
    package var notifiesWriter: Bool {
        writtenValue == nil ? notifiesSubscribers : value != writtenValue
    }
}
