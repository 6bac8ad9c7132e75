package import AccessoryModel
internal import DequeModule
package import Simulation

/// The latest values of characteristics, within limits for one characteristic and for all of them together.
package struct ValueHistory: Sendable {
    /// A value with the time since which it applies.
    package struct Entry: Sendable, Hashable {
        package var time: EventTime
        /// The value; `nil` for a press of a button, or if the characteristic lost its value.
        package var value: CharacteristicValue?
    }

    /// The maximum number of entries of one characteristic.
    package static let maximumPerCharacteristic = 600
    /// The maximum number of entries of all characteristics.
    package static let maximumTotal = 30_000

    private var entries: [ServerCharacteristicID: Deque<Entry>] = [:]
    private var count = 0

    package init() {}

    /// Adds an entry, and removes the oldest ones beyond the limits.
    package mutating func append(_ entry: Entry, to characteristic: ServerCharacteristicID) {
        let removed = entries[characteristic, default: []].append(entry, atMost: Self.maximumPerCharacteristic)
        count += removed ? 0 : 1
        guard count > max(Self.maximumTotal, entries.count) else { return }
        // Half of all histories goes at once, so that this is rare. The latest value of each stays.
        for key in entries.keys {
            let removed = (entries[key]?.count ?? 0) / 2
            entries[key]?.removeFirst(removed)
            count -= removed
        }
    }

    /// Removes the entries of a server.
    package mutating func removeAll(of server: Int) {
        entries = entries.filter { $0.key.server != server }
        count = entries.values.reduce(0) { $0 + $1.count }
    }

    /// Returns the entries of a characteristic, the oldest first.
    package func entries(of characteristic: ServerCharacteristicID) -> [Entry] {
        Array(entries[characteristic] ?? [])
    }
}

extension Deque {
    /// Adds an element, and removes the first one if there are more than the maximum then.
    ///
    /// - Returns: Whether one was removed.
    fileprivate mutating func append(_ element: Element, atMost maximum: Int) -> Bool {
        append(element)
        guard count > maximum else { return false }
        removeFirst()
        return true
    }
}
