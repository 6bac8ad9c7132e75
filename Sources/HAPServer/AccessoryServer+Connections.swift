internal import AccessoryModel
internal import Glibc
internal import HAPCore
internal import HAPTransport
internal import NIOCore

extension AccessoryServer {
    /// Takes a connection that stands, if there is room for it.
    func open(_ id: ConnectionID, _ channel: NIOLoopBound<AccessoryChannelHandler>, peer: SocketAddress?) {
        let connection = ServerConnection(
            id: id,
            peer: peer,
            channel: channel,
            identity: identity.identity,
            verifier: identity.verifier,
            openedAt: now
        )
        connections.add(connection)
        observer?.observe(.connectionOpened(id, peer: connection.peer))
        switch lifecycle {
        case .starting, .serving: break
        case .stopping, .stopped:
            close(connection, .stopping)
            return
        }
        makeRoom(for: connection)
        scheduleInspection()
        if let interference, connections[id] != nil {
            interfere(withOpeningOf: connection, by: interference)
        }
    }

    /// Forgets a connection that has ended, with its subscriptions and its place in pair-setup.
    func connectionClosed(_ id: ConnectionID, _ reason: ChannelCloseReason) {
        guard let connection = connections.remove(id) else { return }
        connection.eventTimer?.cancel()
        connection.heldBack.giveUp()
        if let held = connection.heldResponse {
            held.timer.cancel()
            held.sequel.whenWritten?()
        }
        database.subscriptions.removeAll(of: id.subscriber)
        if !connection.pairSetup.isWorking {
            // Else when the work has come to its end: a proof that is being checked is a try that counts.
            releasePairSetupSlot(of: id)
        }
        noteHandlersAreIdle()
        if let observer {
            let reason = connection.closeReason ?? CloseReason(reason)
            if case .fault(let error) = reason {
                observer.observe(.peerFault(id, error))
            }
            observer.observe(.connectionClosed(id, reason))
        }
    }

    /// Ends a connection for a reason of the server's own.
    func close(_ connection: ServerConnection, _ reason: CloseReason) {
        connection.closeReason = connection.closeReason ?? reason
        connection.channel.close(.ended)
    }

    /// Ends a connection at once, as a peer does that crashes: what was sent and not taken is lost.
    func reset(_ connection: ServerConnection, _ reason: CloseReason) {
        _ = connection.channel.socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        close(connection, reason)
    }

    /// Sends a response, unless a fault was injected that says otherwise, and then what waited for it.
    func respond(
        _ response: HTTPResponse,
        to connection: ServerConnection,
        then sequel: ResponseSequel = ResponseSequel()
    ) {
        observer?.observe(.responseSent(connection.id, response.status))
        if let interference {
            interfere(with: response, to: connection, then: sequel, by: interference)
        } else {
            connection.channel.respond(response, then: sequel)
        }
        if connection.events.deadline != nil {
            sendDueEvents(to: connection.id)
        }
    }

    /// Does something later on the event loop.
    @discardableResult
    func schedule(
        after delay: Duration,
        _ body: @escaping @Sendable (isolated AccessoryServer) -> Void
    ) -> Scheduled<Void> {
        eventLoop.scheduleTask(in: .nanoseconds(max(0, delay.clampedNanoseconds))) {
            self.assumeIsolated(body)
        }
    }

    /// Sends the response that an injected fault has delayed.
    func releaseResponse(to connection: ServerConnection) {
        guard let held = connection.heldResponse else { return }
        connection.heldResponse = nil
        held.timer.cancel()
        connection.channel.respond(held.response, then: held.sequel)
        sendDueEvents(to: connection.id)
    }
}

extension CloseReason {
    fileprivate init(_ reason: ChannelCloseReason) {
        switch reason {
        case .peer: self = .peer
        case .fault(let error): self = .fault(error)
        case .network(let text): self = .network(text)
        case .pairingRemoved: self = .pairingRemoved
        case .ended: self = .stopping
        }
    }
}
