internal import AccessoryModel
internal import NIOCore

/// The connections to which events are due, in the order in which they are sent in the next turns.
struct EventLine: Sendable {
    /// How many events are sent before other connections have their turn.
    static let eventsPerTurn = 2_048

    private var line = CircularBuffer<ConnectionID>()
    private var members: Set<ConnectionID> = []

    var isEmpty: Bool { line.isEmpty }

    /// Whether events of a connection wait for a turn.
    func contains(_ id: ConnectionID) -> Bool {
        members.contains(id)
    }

    /// Adds a connection unless it is in line; returns whether a turn has to be asked for, which takes the whole line.
    mutating func add(_ id: ConnectionID) -> Bool {
        guard members.insert(id).inserted else { return false }
        line.append(id)
        return line.count == 1
    }

    /// Takes the first connection away.
    mutating func next() -> ConnectionID? {
        guard let id = line.popFirst() else { return nil }
        members.remove(id)
        return id
    }
}
