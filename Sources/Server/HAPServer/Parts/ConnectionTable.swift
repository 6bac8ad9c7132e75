internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// The connections of a server, and the choice of the connection to close when there are too many.
///
/// HAP: §16, §0 (beyond the limit)
struct ConnectionTable {
    private var connections: [ConnectionID: ServerConnection] = [:]
    private var lastID: UInt64 = 0
    /// The number of sessions that have sent a request.
    private(set) var activeSessionCount = 0
    private var closedCount = 0
    /// The timer of the next inspection.
    var inspection: Scheduled<Void>?

    /// The idle time after which a session may be closed to make room.
    private static let sessionIdleTime = Duration.seconds(3_600)

    /// The number of closed connections after which memory is returned to the system.
    private static let closuresBeforeTrim = 32

    var isEmpty: Bool { connections.isEmpty }

    /// The number of connections that are not closing.
    var openCount: Int { connections.values.count { $0.closeReason == nil } }

    /// All connections in no particular order, including those that are closing.
    var all: Dictionary<ConnectionID, ServerConnection>.Values { connections.values }

    /// The connections that are not closing.
    var open: some Sequence<ServerConnection> {
        connections.values.lazy.filter { $0.closeReason == nil }
    }

    subscript(id: ConnectionID) -> ServerConnection? { connections[id] }

    /// Returns a number that no other connection of this server has had.
    mutating func nextID() -> ConnectionID {
        lastID += 1
        return ConnectionID(lastID)
    }

    mutating func add(_ connection: ServerConnection) {
        connections[connection.id] = connection
    }

    /// Removes a connection that has closed.
    mutating func remove(_ id: ConnectionID) -> ServerConnection? {
        guard let connection = connections.removeValue(forKey: id) else { return nil }
        closedCount += 1
        if connection.isActive { activeSessionCount -= 1 }
        return connection
    }

    /// Records that a session has sent a request: from then on, unverified connections take turns.
    mutating func recordActivity(of connection: ServerConnection) {
        guard !connection.isActive else { return }
        connection.isActive = true
        activeSessionCount += 1
    }

    /// Returns the connection to close because a new one exceeds the limit; `nil` within the limit.
    ///
    /// It is the first of these that exists:
    ///
    /// 1. the unverified connection that has been idle longest, of the host with the most of them
    /// 2. the session that has been idle longest, if it has been idle for at least an hour: its controller may be gone
    /// 3. the longest idle session of a controller that has more than half of all connections
    /// 4. the new connection
    ///
    /// - Parameter pairing: The connection in pair-setup, which is not closed because a user may be typing the setup
    ///   code.
    func connectionToClose(
        beyond limit: Int,
        for newcomer: ServerConnection,
        pairing: ConnectionID?,
        at now: MonotonicInstant
    ) -> ServerConnection? {
        guard connections.count > limit else { return nil }
        return idlestUnverified(except: [newcomer.id, pairing]) ?? abandonedSession(at: now)
            ?? sessionOfDominantController(limit)
            ?? newcomer
    }

    /// Returns the unverified connection that has been idle longest, of the host with the most of them.
    func idlestUnverified(except spared: [ConnectionID?]) -> ServerConnection? {
        var counts: [PeerHost: Int] = [:]
        for connection in open where connection.session == nil {
            counts[connection.host, default: 0] += 1
        }
        var found: (connection: ServerConnection, crowd: Int)?
        for connection in open where connection.session == nil && !spared.contains(connection.id) {
            let crowd = counts[connection.host, default: 0]
            if let best = found {
                guard (crowd, best.connection.lastProgress) > (best.crowd, connection.lastProgress) else { continue }
            }
            found = (connection, crowd)
        }
        return found?.connection
    }

    /// Returns the connections that exceed a time limit, and records which ones are receiving a request.
    func overdue(at now: MonotonicInstant, _ limits: ConnectionLimits) -> [ServerConnection] {
        open.filter { $0.isOverdue(at: now, limits) }
    }

    /// Returns whether enough connections have closed that their memory should be returned to the system; if so, resets
    /// the count.
    mutating func resetClosedCountIfDue() -> Bool {
        guard closedCount >= Self.closuresBeforeTrim else { return false }
        closedCount = 0
        return true
    }

    private func abandonedSession(at now: MonotonicInstant) -> ServerConnection? {
        open.filter { $0.lastProgress.advanced(by: Self.sessionIdleTime) <= now }
            .min { $0.lastProgress < $1.lastProgress }
    }

    private func sessionOfDominantController(_ limit: Int) -> ServerConnection? {
        let crowds = Dictionary(grouping: open.filter { $0.session != nil }) { $0.session?.controller }
        return crowds.values.first { $0.count > limit / 2 }?.min { $0.lastProgress < $1.lastProgress }
    }
}
