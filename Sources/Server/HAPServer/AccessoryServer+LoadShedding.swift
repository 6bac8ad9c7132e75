internal import CGlibc
internal import HAPCore
internal import NIOCore

/// Keeps connections, processor time and memory available for paired controllers when other hosts overload the server.
extension AccessoryServer {
    /// Closes one connection when the limit is exceeded.
    func enforceConnectionLimit(for newcomer: ServerConnection) {
        let limit = configuration.maximumConnections
        if let closing = connections.connectionToClose(
            beyond: limit,
            for: newcomer,
            pairing: pairSetupState.slot.owner?.id,
            at: now
        ) {
            close(closing, .limit)
        }
    }

    /// Closes unverified connections when the process cannot open more files, so that others can connect.
    ///
    /// Returns the time during which no connection is accepted.
    func freeDescriptors() -> TimeAmount {
        var freed = 0
        while freed < Self.descriptorsToFree,
            let closing = connections.idlestUnverified(except: [pairSetupState.slot.owner?.id])
        {
            close(closing, .limit)
            freed += 1
        }
        return freed > 0 ? .milliseconds(1) : .milliseconds(100)
    }

    /// Defers a request of an unverified connection if it has to wait for its turn; returns whether it was deferred.
    ///
    /// Nothing is deferred while no session has sent a request.
    func deferIfNeeded(_ request: HTTPRequest, from connection: ServerConnection) -> Bool {
        guard connections.activeSessionCount > 0, deferredWork.isUnverifiedDeferred(at: now) else { return false }
        deferWork(.request(request, of: connection.id), isSession: false)
        return true
    }

    /// Schedules the next check of the time limits, if there are connections and none is scheduled.
    func scheduleInspection() {
        guard connections.inspection == nil, !connections.isEmpty else { return }
        connections.inspection = schedule(after: configuration.connectionLimits.inspectionInterval) { server in
            server.connections.inspection = nil
            server.closeOverdueConnections(at: server.now)
            server.scheduleInspection()
        }
    }

    /// Closes the connections whose time limit has passed.
    func closeOverdueConnections(at now: MonotonicInstant) {
        for connection in connections.overdue(at: now, configuration.connectionLimits) {
            close(connection, .timeLimit)
        }
        if connections.resetClosedCountIfDue() {
            // The allocator keeps the memory of closed connections until `malloc_trim` returns it to the system.
            Task { await Self.runOnThreadPool { _ = malloc_trim(0) } }
        }
    }

    /// The number of connections that are closed at once when the process cannot open more files.
    private static let descriptorsToFree = 16
}
