internal import HAPCore

/// Where each characteristic stands in the database, found by its id.
///
/// Sorted and not hashed: a few comparisons take less time than one hash, and no choice of ids is worse than another.
struct CharacteristicIndices: Sendable {
    private var entries: [(id: CharacteristicID, index: Int)] = []

    init() {}

    /// Each id, of which none occurs twice, with where it stands.
    init(_ ids: some Sequence<CharacteristicID>) {
        entries = ids.enumerated().map { ($0.element, $0.offset) }
        entries.sort { $0.id.precedes($1.id) }
    }

    subscript(id: CharacteristicID) -> Int? {
        let position = firstPosition(notBefore: id)
        guard position < entries.count, entries[position].id == id else { return nil }
        return entries[position].index
    }

    private func firstPosition(notBefore id: CharacteristicID) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id.precedes(id) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension CharacteristicID {
    /// The order of `<`, without the calls between modules that it takes.
    fileprivate func precedes(_ other: CharacteristicID) -> Bool {
        if aid.rawValue == other.aid.rawValue {
            iid.rawValue < other.iid.rawValue
        } else {
            aid.rawValue < other.aid.rawValue
        }
    }
}
