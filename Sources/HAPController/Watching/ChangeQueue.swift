internal import HAPCore

/// The changes that wait for one that watches: all of them up to a limit, beyond it the latest of each kind.
package struct ChangeQueue: Sendable {
    /// What a later change makes an earlier one obsolete by.
    private enum Kind: Hashable {
        case value(CharacteristicID)
        case connection
        case database
    }

    private let limit: Int
    /// How many changes may wait before they are sifted: more than the limit when so many are of different kinds.
    private var threshold: Int
    private var changes: [AccessoryChange] = []
    private var start = 0

    /// Creates an empty queue; a limit below 1 counts as 1.
    package init(limit: Int) {
        self.limit = max(1, limit)
        threshold = self.limit
    }

    /// How many changes wait.
    package var count: Int {
        changes.count - start
    }

    /// Adds a change at the end.
    package mutating func append(_ change: AccessoryChange) {
        changes.append(change)
        guard count > threshold else { return }
        sift()
        // So that what it costs is shared by as many changes as there are kinds.
        threshold = max(limit, 2 * count)
    }

    /// Takes out the first change.
    package mutating func next() -> AccessoryChange? {
        guard start < changes.count else { return nil }
        let change = changes[start]
        start += 1
        if start == changes.count {
            changes.removeAll(keepingCapacity: changes.capacity <= limit)
            start = 0
            threshold = limit
        }
        return change
    }

    private mutating func sift() {
        var seen: Set<Kind> = []
        let latest = changes[start...].reversed().filter { seen.insert(Self.kind(of: $0)).inserted }
        changes = latest.reversed()
        start = 0
    }

    private static func kind(of change: AccessoryChange) -> Kind {
        switch change {
        case .value(let id, _): .value(id)
        case .connected, .disconnected: .connection
        case .databaseChanged: .database
        }
    }
}
