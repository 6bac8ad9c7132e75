internal import CMalloc
internal import HAPCore
internal import HAPTransport
internal import NIOCore

/// What keeps strangers from taking the place, the time and the memory of paired controllers.
extension AccessoryServer {
    /// Closes one connection when the limit is exceeded.
    ///
    /// It is the first of these that exists:
    ///
    /// 1. the one without a session that has been idle longest, of the host that has most of them
    /// 2. the session that has been idle longest, if for an hour: it may have lost its controller
    /// 3. the session that has been idle longest of a controller that holds more than half of all places
    /// 4. the new connection
    ///
    /// The connection in pair-setup is not closed: there is only one, and a person may be typing the setup code.
    ///
    /// HAP: §16, §0 (beyond the limit)
    func makeRoom(for newcomer: ServerConnection) {
        guard connections.count > configuration.maximumConnections else { return }
        if !endIdlestUnverified(sparing: newcomer.id) {
            close(forsakenSession ?? crowdingSession ?? newcomer, .limit)
        }
    }

    /// Ends connections without a session when the process may open no more files, so that others get in; returns how
    /// long nothing is accepted.
    func makeRoomForDescriptors() -> TimeAmount {
        var freed = 0
        while freed < Self.descriptorsToFree, endIdlestUnverified(sparing: nil) {
            freed += 1
        }
        return freed > 0 ? .milliseconds(1) : .milliseconds(100)
    }

    /// Whether a request of a connection without a session has to wait, which is then answered in its turn.
    ///
    /// Without sessions that have ever asked for something nobody is kept waiting.
    func mustWait(_ request: HTTPRequest, from connection: ServerConnection) -> Bool {
        guard activeSessionCount > 0 else { return false }
        let now = now
        guard !turns.strangers.isEmpty || now < unverifiedPace.next else { return false }
        waitForTurn(.request(request, of: connection.id), isSession: false)
        return true
    }

    /// Does something when everything that waits already was done, and the event loop has looked at its connections in
    /// between.
    ///
    /// - Parameter isSession: Whether a session waits; sessions do not wait behind strangers.
    func waitForTurn(_ turn: Turn, isSession: Bool) {
        if isSession {
            turns.sessions.append(turn)
            if turns.sessions.count == 1 {
                // The scheduled turn may be a stranger's, which is later.
                scheduledTurn = nil
            }
        } else {
            turns.strangers.append(turn)
        }
        scheduleTurn()
    }

    /// Looks at every connection now and then, as long as there are any.
    func scheduleInspection() {
        guard inspection == nil, !connections.isEmpty else { return }
        inspection = schedule(after: configuration.connectionLimits.inspectionInterval) { server in
            server.inspection = nil
            server.inspectConnections(at: server.now)
            server.scheduleInspection()
        }
    }

    /// Ends the connections whose time is over.
    func inspectConnections(at now: MonotonicInstant) {
        for connection in connections.values where connection.closeReason == nil {
            if connection.isOverdue(at: now, configuration.connectionLimits) {
                close(connection, .timeLimit)
            }
        }
        if closedConnections >= Self.crowd {
            closedConnections = 0
            // The allocator keeps what a crowd has left behind, until it is asked to give it back.
            Task { await Self.onThreadPool { _ = malloc_trim(0) } }
        }
    }

    /// How many connections are ended at once when the process may open no more files.
    private static let descriptorsToFree = 16

    /// How long a session may be silent before it makes room for another, when there is no other room.
    private static let sessionPatience = Duration.seconds(3_600)

    /// How many connections that have closed are a crowd.
    private static let crowd = 32

    private var forsakenSession: ServerConnection? {
        let now = now
        return connections.values
            .filter { $0.closeReason == nil && $0.lastProgress.advanced(by: Self.sessionPatience) <= now }
            .min { $0.lastProgress < $1.lastProgress }
    }

    private var crowdingSession: ServerConnection? {
        let sessions = connections.values.filter { $0.session != nil && $0.closeReason == nil }
        let crowds = Dictionary(grouping: sessions) { $0.session?.controller }
        return crowds.values.first { $0.count > configuration.maximumConnections / 2 }?
            .min { $0.lastProgress < $1.lastProgress }
    }

    private func endIdlestUnverified(sparing newcomer: ConnectionID?) -> Bool {
        var counts: [PeerHost: Int] = [:]
        for connection in connections.values where connection.session == nil && connection.closeReason == nil {
            counts[connection.host, default: 0] += 1
        }
        let pairing = pairSetupSlot.owner?.id
        var found: (connection: ServerConnection, crowd: Int)?
        for connection in connections.values where connection.session == nil && connection.closeReason == nil {
            guard connection.id != newcomer, connection.id != pairing else { continue }
            let crowd = counts[connection.host, default: 0]
            if let best = found {
                guard (crowd, best.connection.lastProgress) > (best.crowd, connection.lastProgress) else { continue }
            }
            found = (connection, crowd)
        }
        guard let found else { return false }
        close(found.connection, .limit)
        return true
    }

    /// One timer for all: with one for each connection there would always be one that is due, and the event loop would
    /// not come to look at its connections.
    private func scheduleTurn() {
        guard scheduledTurn == nil, !turns.sessions.isEmpty || !turns.strangers.isEmpty else { return }
        lastTurn += 1
        let number = lastTurn
        scheduledTurn = number
        let pause = turns.sessions.isEmpty ? now.duration(to: unverifiedPace.next) : UnverifiedPace.leastPause
        schedule(after: max(UnverifiedPace.leastPause, pause)) { server in
            // By its number: a timer that is cancelled when it is due runs all the same.
            guard server.scheduledTurn == number else { return }
            server.takeTurns()
        }
    }

    private func takeTurns() {
        scheduledTurn = nil
        if let turn = turns.sessions.popFirst() {
            take(turn)
        }
        if now >= unverifiedPace.next, let turn = turns.strangers.popFirst() {
            take(turn)
        }
        scheduleTurn()
    }

    private func take(_ turn: Turn) {
        switch turn {
        case .request(let request, of: let id):
            if let connection = connections[id], connection.closeReason == nil {
                routeInClear(request, from: connection)
            }
        case .rest(of: let id): connections[id]?.channel.goOn()
        case .accessories(of: let id, let turns):
            compositionsUnderWay -= 1
            if let connection = connections[id] {
                readAccessories(from: connection, turn: turns)
            }
            noteHandlersAreIdle()
        case .events: takeEventTurn()
        }
    }
}

/// What waits until other connections have had their turn.
enum Turn: Sendable {
    /// A request of a connection without a session.
    case request(HTTPRequest, of: ConnectionID)
    /// What the channel of a connection has left for later: requests that have arrived, or parts of a long message.
    case rest(of: ConnectionID)
    /// The rest of a database that is being composed for a connection, after this many turns.
    case accessories(of: ConnectionID, turns: Int)
    /// The events that are due to the connections in line.
    case events
}
