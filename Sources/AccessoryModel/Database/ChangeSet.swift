/// The changes of one request, command or tick, one for each characteristic.
package struct ChangeSet: Sendable {
    package private(set) var changes: [ValueChange] = []
    /// Where the change of each characteristic stands; empty as long as they are few enough to be looked through.
    private var places: [Int: Int] = [:]

    /// How many changes are looked through sooner than found by their characteristic.
    private static let few = 16

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
        guard let earlier = place(of: change.index) else { return append(change) }
        changes[earlier].value = change.value
        changes[earlier].written = change.written ?? changes[earlier].written
    }

    private func place(of index: Int) -> Int? {
        changes.count > Self.few ? places[index] : changes.firstIndex { $0.index == index }
    }

    private mutating func append(_ change: ValueChange) {
        changes.append(change)
        guard changes.count > Self.few else { return }
        for place in (places.isEmpty ? 0 : changes.count - 1)..<changes.count {
            places[changes[place].index] = place
        }
    }
}
