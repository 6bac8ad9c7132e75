internal import HAPCore

/// What an engine has to remember beyond its end, so that a light that is to go off does so after a restart, too.
package struct EngineState: Sendable, Hashable {
    /// What is still to end.
    package var pendingEnds: [ObjectID<Automation>: PendingEnd]
    /// Who is home, as far as anybody knows.
    package var presence: [ObjectID<HomeUser>: Bool]
    /// Since when intervals without a beginning count.
    package var intervalStarts: [ObjectID<Automation>: WallInstant]

    /// Until when what is due has happened; `nil` when there was no engine before.
    package var lastInstant: WallInstant?

    /// Creates a memory as it was kept.
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

    /// An entry of a dictionary: the text of a dictionary with such keys would have no order.
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

    /// Decodes a memory.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            pendingEnds: Self.dictionary(try stored.decode(forKey: .ends)),
            presence: Self.dictionary(try stored.decode(forKey: .presence)),
            intervalStarts: Self.dictionary(try stored.decode(forKey: .since)),
            lastInstant: try stored.decodeIfPresent(WallInstant.self, forKey: .instant)
        )
    }

    /// Encodes the memory.
    package func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        try stored.encode(Self.entries(pendingEnds), forKey: .ends)
        try stored.encode(Self.entries(presence), forKey: .presence)
        try stored.encode(Self.entries(intervalStarts), forKey: .since)
        try stored.encodeIfPresent(lastInstant, forKey: .instant)
    }
}
