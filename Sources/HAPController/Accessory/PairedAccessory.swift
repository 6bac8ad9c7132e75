internal import AccessoryModel
internal import AsyncPrimitives
public import HAPCore
internal import HAPTransport
internal import NIOCore

/// An accessory server that this controller is paired with.
///
/// It has one session, opened when it is needed and kept. Everything happens on one event loop, the session's too, so
/// that a change is handed on in the same turn in which it arrives.
///
/// Its state is in parts. They are values that return what is to be done, and the actor does it.
public actor PairedAccessory {
    /// The name it is kept under.
    public nonisolated let alias: String
    /// Who it is; whoever answers as somebody else is refused.
    public nonisolated let pairing: AccessoryPairing
    /// The event loop as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    nonisolated let configuration: ControllerConfiguration
    /// Where the pairing is stored; `nil` when nothing is to be stored.
    nonisolated let store: (any ControllerStore)?
    nonisolated let eventLoop: any EventLoop & NIOSerialEventLoopExecutor
    nonisolated let opener: SessionOpener

    var link = SessionLink()
    var announcements: Announcements
    var database = KnownDatabase()
    var subscribers = SubscriberTable()
    var restorer: SessionRestorer

    init(
        _ kept: StoredPairing,
        identity: ControllerIdentity,
        configuration: ControllerConfiguration,
        store: (any ControllerStore)?,
        finder: (any AddressFinding)?,
        eventLoop: any EventLoop & NIOSerialEventLoopExecutor
    ) {
        alias = kept.alias
        pairing = kept.pairing
        self.configuration = configuration
        self.store = store
        self.eventLoop = eventLoop
        opener = SessionOpener(
            alias: kept.alias,
            pairing: kept.pairing,
            identity: identity,
            configuration: configuration,
            finder: finder,
            eventLoop: eventLoop
        )
        announcements = Announcements(lastPlace: kept.place)
        restorer = SessionRestorer(
            ReconnectMachine(
                shortest: configuration.firstReconnectDelay,
                longest: configuration.longestReconnectDelay
            )
        )
    }

    deinit {
        announcements.listening?.task.cancel()
    }

    /// Ends the session and every watch, and the opening of a session at once; nothing can be asked of it afterwards.
    public func close() {
        let former = link.close()
        restorer.replaceTimer(with: nil)?.cancel()
        restorer.task?.cancel()
        announcements.stop()?.cancel()
        for subscriber in subscribers.removeAll() {
            subscriber.beginning?.cancel()
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

    /// Returns the present session, or else opens one.
    ///
    /// Callers that come meanwhile share it. One whose task is canceled waits no longer, and with the last one the
    /// opening ends.
    func session() async throws(ControllerError) -> AccessorySession {
        guard !Task.isCancelled else { throw .cancelled }
        switch try link.join() {
        case .present(let session):
            return session
        case .waiting(let opening, let isNew):
            if isNew {
                link.attach(Task { await open(opening) }, to: opening.number)
            }
            if let result = await opening.result.waitUnlessCancelled() { return try result.get() }
            if let abandoned = link.leave(opening.number) {
                abandoned.task?.cancel()
                stopListeningWhenUnused()
            }
            throw .cancelled
        }
    }

    /// Makes a session of the connection on which the pairing was made.
    func adopt(_ connection: AccessoryConnection) async throws(ControllerError) {
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
            _ = begin(link.nextNumber(), with: connection)
        case .opening, .open:
            connection.close()
        case .closed:
            connection.close()
            throw .closed
        }
    }

    /// Gives a session up, unless it has ended.
    func lose(_ session: AccessorySession, over error: ControllerError) {
        guard link.end(session.number) != nil else { return }
        session.connection.close(.givenUp(error.reason))
        sessionIsLost(error)
    }

    private func open(_ opening: SessionLink.Opening) async {
        do throws(ControllerError) {
            let connection = try await opener.open(knownPlaces: announcements.knownPlaces)
            if announcements.found(at: connection.place) {
                // Only saves a search at the next start; and a pairing that was forgotten meanwhile stays so.
                try? await store?.save(host: connection.place.host, port: connection.place.port, of: pairing)
            }
            guard link.isOpening(opening.number) else {
                // All callers have left.
                connection.close()
                return
            }
            opening.result.set(.success(begin(opening.number, with: connection)))
        } catch {
            guard link.fail(opening.number) else { return }
            stopListeningWhenUnused()
            opening.result.set(.failure(error))
        }
    }

    private func begin(_ number: UInt64, with connection: AccessoryConnection) -> AccessorySession {
        let session = AccessorySession(
            number: number,
            connection: connection,
            requestTime: configuration.requestTime
        )
        link.begin(session)
        announcements.sessionBegan(at: connection.place)
        restorer.machine.opened(at: eventLoop.monotonicNow)
        connection.observe { [weak self] body in
            self?.assumeIsolated { $0.received(event: body, inSession: number) }
        } end: { [weak self] reason in
            self?.assumeIsolated { $0.ended(session: number, reason) }
        }
        listen()
        sessionHasBegun()
        return session
    }

    private func ended(session number: UInt64, _ reason: ControllerChannelEnd) {
        guard let session = link.end(number) else { return }
        sessionIsLost(ControllerError(reason, at: session.connection.place))
    }
}
