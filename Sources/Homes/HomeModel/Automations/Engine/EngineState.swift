internal import HAPCore

/// The state that an engine must keep across restarts, so that a pending end is not lost.
package struct EngineState: Sendable, Hashable {
    /// The pending ends.
    package var pendingEnds: [ObjectID<Automation>: PendingEnd]
    /// The known presence of users: `true` means home.
    package var presence: [ObjectID<HomeUser>: Bool]
    /// The starts of intervals that have no start of their own.
    package var intervalStarts: [ObjectID<Automation>: WallInstant]

    /// The instant up to which all deadlines were processed, or `nil` if no engine has run before.
    package var lastInstant: WallInstant?

    /// Creates a state from its stored parts.
    package init(
        pendingEnds: [ObjectID<Automation>: PendingEnd] = [:],
        presence: [ObjectID<HomeUser>: Bool] = [:],
        intervalStarts: [ObjectID<Automation>: WallInstant] = [:],
        lastInstant: WallInstant? = nil
    ) {
        self.pendingEnds = pendingEnds
        self.presence = presence
        self.intervalStarts = intervalStarts
        self.lastInstant = lastInstant
    }
}

extension EngineState: Codable {
    private enum CodingKeys: String, CodingKey {
        case ends, presence, since, instant
    }

    /// An entry of a dictionary that is encoded as a list.
    ///
    /// The order of an encoded dictionary with such keys would not be stable.
    private struct Entry<Key: Codable, Value: Codable>: Codable {
        var key: Key
        var value: Value

        enum CodingKeys: String, CodingKey {
            case key, value
        }
    }

    private static func entries<Key: Comparable, Value>(_ values: [Key: Value]) -> [Entry<Key, Value>] {
        values.sorted { $0.key < $1.key }.map { Entry(key: $0.key, value: $0.value) }
    }

    private static func dictionary<Key: Hashable, Value>(_ entries: [Entry<Key, Value>]) -> [Key: Value] {
        Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// Decodes a state.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            pendingEnds: Self.dictionary(try stored.decode(forKey: .ends)),
            presence: Self.dictionary(try stored.decode(forKey: .presence)),
            intervalStarts: Self.dictionary(try stored.decode(forKey: .since)),
            lastInstant: try stored.decodeIfPresent(WallInstant.self, forKey: .instant)
        )
    }

    /// Encodes the state.
    package func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        try stored.encode(Self.entries(pendingEnds), forKey: .ends)
        try stored.encode(Self.entries(presence), forKey: .presence)
        try stored.encode(Self.entries(intervalStarts), forKey: .since)
        try stored.encodeIfPresent(lastInstant, forKey: .instant)
    }
}
