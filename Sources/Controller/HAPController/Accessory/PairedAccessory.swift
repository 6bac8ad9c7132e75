internal import AccessoryModel
internal import AsyncPrimitives
public import HAPCore
internal import NIOCore

/// An accessory server that this controller is paired with.
///
/// It has one session, which is opened on demand and reused. The actor runs on the event loop of the session, so that a
/// change is delivered in the turn in which it arrives.
///
/// Its state consists of several value types that return the next actions; the actor performs these actions.
public actor PairedAccessory {
    /// The alias of the pairing.
    public nonisolated let alias: String
    /// The identity of the accessory; a device with another identity is refused.
    public nonisolated let pairing: AccessoryPairing
    /// The event loop as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    nonisolated let configuration: ControllerConfiguration
    /// The store of the pairing; `nil` if nothing is stored.
    nonisolated let store: (any ControllerStore)?
    nonisolated let eventLoop: any EventLoop & NIOSerialEventLoopExecutor
    nonisolated let opener: SessionOpener

    var link = SessionLink()
    var announcements: Announcements
    var database = DatabaseCache()
    var subscribers = SubscriberTable()
    var requestLimits = RequestLimits()
    var reconnector: SessionReconnector

    init(
        _ stored: StoredPairing,
        identity: ControllerIdentity,
        configuration: ControllerConfiguration,
        store: (any ControllerStore)?,
        finder: (any EndpointResolver)?,
        transport: any ControllerTransport = TCPTransport(),
        eventLoop: any EventLoop & NIOSerialEventLoopExecutor
    ) {
        alias = stored.alias
        pairing = stored.pairing
        self.configuration = configuration
        self.store = store
        self.eventLoop = eventLoop
        opener = SessionOpener(
            alias: stored.alias,
            pairing: stored.pairing,
            identity: identity,
            configuration: configuration,
            resolver: finder,
            transport: transport,
            eventLoop: eventLoop
        )
        announcements = Announcements(lastEndpoint: stored.endpoint)
        reconnector = SessionReconnector(
            ReconnectMachine(
                shortest: configuration.firstReconnectDelay,
                longest: configuration.longestReconnectDelay
            )
        )
    }

    /// Whether there is a session, and every subscriber has handled the changes in it so far.
    package var isSettled: Bool { link.session != nil && subscribers.haveReadAll }

    deinit {
        announcements.listener?.task.cancel()
    }

    /// Immediately ends the session, any attempt to open one, and all subscriptions.
    ///
    /// The accessory cannot be used afterwards.
    public func close() {
        let former = link.close()
        reconnector.replaceTimer(with: nil)?.cancel()
        reconnector.task?.cancel()
        announcements.stop()?.cancel()
        for subscriber in subscribers.removeAll() {
            subscriber.startTask?.cancel()
            subscriber.mailbox.finish()
        }
        switch former {
        case .opening(let opening):
            opening.task?.cancel()
            opening.result.set(.failure(.closed))
        case .open(let session):
            session.connection.close()
        case .idle, .closed:
            break
        }
    }

    // MARK: The session

    /// Returns the current session, or opens one.
    ///
    /// Concurrent callers share one attempt. A canceled caller stops waiting; the attempt is canceled when no caller is
    /// left.
    func session() async throws(ControllerError) -> AccessorySession {
        guard !Task.isCancelled else { throw .cancelled }
        switch try link.join() {
        case .open(let session):
            return session
        case .opening(let opening, let isNew):
            if isNew {
                link.attach(Task { await runOpening(opening) }, to: opening.number)
            }
            if let result = await opening.result.waitUnlessCancelled() { return try result.get() }
            if let abandoned = link.leave(opening.number) {
                abandoned.task?.cancel()
                stopListeningWhenUnused()
            }
            throw .cancelled
        }
    }

    /// Uses the connection of pair-setup for the first session.
    func useForSession(_ connection: AccessoryConnection) async throws(ControllerError) {
        do {
            try await opener.verify(connection, within: configuration.pairVerifyTime)
        } catch  where error.code == .connectionLost {
            // Some accessories close the connection after M6.
            _ = try await session()
            return
        } catch {
            connection.close()
            throw error
        }
        switch link.state {
        case .idle:
            _ = startSession(link.nextNumber(), with: connection)
        case .opening, .open:
            connection.close()
        case .closed:
            connection.close()
            throw .closed
        }
    }

    /// Closes a session, unless it has already ended.
    func closeSession(_ session: AccessorySession, after error: ControllerError) {
        guard link.removeSession(session.number) != nil else { return }
        session.connection.close(.aborted(error.reason))
        sessionDidEnd(error)
    }

    private func runOpening(_ opening: SessionLink.Opening) async {
        do throws(ControllerError) {
            let connection = try await opener.open(knownEndpoints: announcements.knownEndpoints)
            if announcements.recordEndpoint(connection.endpoint) {
                // A failure is ignored, because the saved endpoint only avoids a search at the next start. A removed
                // pairing stays removed.
                try? await store?.save(host: connection.endpoint.host, port: connection.endpoint.port, of: pairing)
            }
            guard link.isOpening(opening.number) else {
                // All callers have stopped waiting.
                connection.close()
                return
            }
            opening.result.set(.success(startSession(opening.number, with: connection)))
        } catch {
            guard link.fail(opening.number) else { return }
            stopListeningWhenUnused()
            opening.result.set(.failure(error))
        }
    }

    private func startSession(_ number: UInt64, with connection: AccessoryConnection) -> AccessorySession {
        let session = AccessorySession(
            number: number,
            connection: connection,
            requestTime: configuration.requestTime
        )
        link.setSession(session)
        announcements.sessionDidStart(at: connection.endpoint)
        reconnector.machine.didOpen(at: eventLoop.monotonicNow)
        connection.observe { [weak self] body in
            self?.assumeIsolated { $0.didReceive(event: body, inSession: number) }
        } end: { [weak self] reason in
            self?.assumeIsolated { $0.connectionDidClose(session: number, reason) }
        }
        startListening()
        sessionDidStart()
        return session
    }

    private func connectionDidClose(session number: UInt64, _ reason: ControllerChannelError) {
        guard let session = link.removeSession(number) else { return }
        sessionDidEnd(.sessionEnded(reason, at: session.connection.endpoint))
    }
}
