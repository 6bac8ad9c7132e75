internal import AccessoryModel
internal import NIOCore

/// The connections with due events, in the order in which later turns send them.
struct EventSendQueue: Sendable {
    /// The number of events that are sent before other connections have their turn.
    static let eventsPerTurn = 2_048

    private var queue = CircularBuffer<ConnectionID>()
    private var members: Set<ConnectionID> = []

    var isEmpty: Bool { queue.isEmpty }

    /// Whether events of a connection wait for a turn.
    func contains(_ id: ConnectionID) -> Bool {
        members.contains(id)
    }

    /// Adds a connection if it is not in the queue; returns whether to schedule a turn, which handles the whole queue.
    mutating func enqueue(_ id: ConnectionID) -> Bool {
        guard members.insert(id).inserted else { return false }
        queue.append(id)
        return queue.count == 1
    }

    /// Removes the first connection.
    mutating func dequeue() -> ConnectionID? {
        guard let id = queue.popFirst() else { return nil }
        members.remove(id)
        return id
    }
}
