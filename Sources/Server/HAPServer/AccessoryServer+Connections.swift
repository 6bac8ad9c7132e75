internal import AccessoryModel
internal import Glibc
internal import HAPCore
package import NIOCore

extension AccessoryServer {
    /// Adds a connection to the server.
    ///
    /// Called on the event loop, before the channel is active.
    package nonisolated func accept(_ channel: any Channel) throws {
        let (id, transport) = assumeIsolated { ($0.connections.nextID(), $0.transport) }
        let delegate = ServerChannelDelegate(server: self, id: id)
        try channel.pipeline.syncOperations.addHandler(
            AccessoryChannelHandler(delegate: delegate, budgets: transport.budgets.value, batch: transport.batch.value)
        )
    }

    /// Accepts an established connection if there is room for it.
    func open(_ id: ConnectionID, _ channel: NIOLoopBound<AccessoryChannelHandler>, peer: SocketAddress?) {
        let connection = makeConnection(id, channel.value, peer: peer)
        connections.add(connection)
        observer?.observe(.connectionOpened(id, peer: connection.peer))
        guard lifecycle.isAccepting else {
            close(connection, .stopping)
            return
        }
        enforceConnectionLimit(for: connection)
        scheduleInspection()
        if connections[id] != nil {
            connection.didOpen(by: self)
        }
    }

    private func makeConnection(
        _ id: ConnectionID,
        _ channel: AccessoryChannelHandler,
        peer: SocketAddress?
    ) -> ServerConnection {
        let kind: ServerConnection.Type =
            ports.faultInjection == nil ? ServerConnection.self : FaultyConnection.self
        return kind.init(
            id: id,
            peer: peer,
            channel: channel,
            identity: records.identity.identity,
            verifier: pairSetupState.verifier,
            eventInterval: configuration.connectionLimits.eventInterval,
            openedAt: now
        )
    }

    /// Forgets a connection that has ended, with its subscriptions and its place in pair-setup.
    func connectionClosed(_ id: ConnectionID, _ reason: CloseReason) {
        guard let connection = connections.remove(id) else { return }
        connection.didClose()
        database.subscriptions.removeAll(of: id.subscriber)
        if !connection.pairSetup.isWorking {
            // Otherwise the slot is released when the computation ends, because a proof that is being checked still
            // counts as a try.
            releasePairSetupSlot(of: id)
        }
        resumeIdleWaitersIfPossible()
        traffic?.observe(.closed, on: id, of: connection.session?.controller)
        if let observer {
            let reason = connection.closeReason ?? reason
            if case .protocolViolation(let error) = reason {
                observer.observe(.protocolViolation(id, error))
            }
            observer.observe(.connectionClosed(id, reason))
        }
    }

    /// Closes a connection because the server decided to.
    func close(_ connection: ServerConnection, _ reason: CloseReason) {
        connection.closeReason = connection.closeReason ?? reason
        connection.channelHandler.close(reason)
    }

    /// Resets a connection, as a crashing peer does: data that was sent but not received is lost.
    func reset(_ connection: ServerConnection, _ reason: CloseReason) {
        _ = connection.channelHandler.socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        close(connection, reason)
    }

    /// Sends a response, and then the events that had to wait for the response.
    func respond(
        _ response: HTTPResponse,
        to connection: ServerConnection,
        then sequel: ResponseCompletion = ResponseCompletion()
    ) {
        observer?.observe(.responseSent(connection.id, response.status))
        traffic?.observe(.response(response), on: connection.id, of: connection.session?.controller)
        connection.sendResponse(response, then: sequel, by: self)
        if !connection.events.pending.isEmpty {
            sendDueEvents(to: connection.id)
        }
    }

    /// Whether a controller has an open session.
    package var hasSession: Bool { connections.all.contains { $0.session != nil } }

    /// Whether a controller on this machine has not yet read everything that was sent to it.
    package var hasUnreadOutput: Bool {
        get async {
            for connection in connections.all {
                if connection.channelHandler.hasUnsentOutput { return true }
                guard let socket = connection.channelHandler.socket else { continue }
                let memory: EventLoopFuture<SocketMemory> = socket.unsafeGetSocketOption(
                    level: .socket,
                    name: .init(rawValue: SO_MEMINFO)
                )
                // Fails if the connection is closed.
                if let memory = try? await memory.get(), memory.unreadOutput > 0 { return true }
            }
            return false
        }
    }

    /// Schedules a function on the event loop after a delay.
    @discardableResult
    func schedule(
        after delay: Duration,
        _ body: @escaping @Sendable (isolated AccessoryServer) -> Void
    ) -> Scheduled<Void> {
        eventLoop.scheduleTask(in: .nanoseconds(max(0, delay.clampedNanoseconds))) {
            self.assumeIsolated(body)
        }
    }
}

/// The result of the socket option `SO_MEMINFO`: the memory of a socket in bytes.
private struct SocketMemory: Sendable {
    private var input: (used: UInt32, limit: UInt32) = (0, 0)
    /// What the peer has not read yet, or over TCP not acknowledged.
    var unreadOutput: UInt32 = 0
    private var outputLimit: UInt32 = 0
    private var other: (UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0)
}
