internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
internal import HAPTransport
internal import NIOCore

extension PairedAccessory {
    /// The session: the present one, else one that is opened now.
    ///
    /// Callers that come meanwhile share it. One whose task is cancelled waits no longer, and with the last one the
    /// opening ends.
    func session() async throws(ControllerError) -> AccessorySession {
        guard !Task.isCancelled else { throw .cancelled }
        switch link {
        case .open(let session): return session
        case .closed: throw .closed
        case .opening: break
        case .idle:
            lastSession += 1
            let number = lastSession
            link = .opening(number, Task { await open(number) })
        }
        lastWaiter += 1
        let waiter = lastWaiter
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { sessionWaiters[waiter] = $0 }
        } onCancel: {
            eventLoop.execute {
                self.assumeIsolated { $0.giveUp(waiter) }
            }
        }
        return try result.get()
    }

    /// Asks the accessory one thing.
    ///
    func ask(
        _ request: HTTPRequest,
        in session: AccessorySession
    ) async throws(ControllerError) -> HTTPMessage {
        try await session.ask(request, within: configuration.requestTime)
    }

    /// Goes on with the connection on which the pairing was made.
    func adopt(_ connection: AccessoryConnection) async throws(ControllerError) {
        do {
            try await PairVerifyExchange.run(
                on: connection,
                identity: identity,
                pairing: pairing,
                within: configuration.pairVerifyTime
            )
        } catch  where error.code == .connectionLost {
            // Some close the connection behind M6.
            _ = try await session()
            return
        } catch {
            connection.close()
            throw error
        }
        switch link {
        case .idle:
            lastSession += 1
            _ = begin(lastSession, with: connection)
        case .opening, .open:
            connection.close()
        case .closed:
            connection.close()
            throw .closed
        }
    }

    /// Whether a session is the present one, and stands.
    func isPresent(_ session: AccessorySession) -> Bool {
        if case .open(let present) = link { present.number == session.number } else { false }
    }

    /// Gives a session up, unless it has ended.
    func lose(_ session: AccessorySession, over error: ControllerError) {
        guard isPresent(session) else { return }
        link = .idle
        subscribed = []
        session.connection.close(.givenUp(error.reason))
        sessionIsLost(error)
    }

    /// Hands those who wait for a session what has become of it.
    func endWaiting(with result: Result<AccessorySession, ControllerError>) {
        let waiters = sessionWaiters.values
        sessionWaiters = [:]
        for waiter in waiters {
            waiter.resume(returning: result)
        }
    }

    private func giveUp(_ waiter: UInt64) {
        guard let continuation = sessionWaiters.removeValue(forKey: waiter) else { return }
        continuation.resume(returning: .failure(.cancelled))
        if sessionWaiters.isEmpty, case .opening(_, let task) = link {
            task.cancel()
            link = .idle
            stopListeningWhenUnused()
        }
    }

    private func open(_ number: UInt64) async {
        let result = await Result { () async throws(ControllerError) in try await verifiedConnection() }
        guard case .opening(number, _) = link else {
            // Nobody waits for it any more.
            if case .success(let connection) = result {
                connection.close()
            }
            return
        }
        switch result {
        case .success(let connection):
            endWaiting(with: .success(begin(number, with: connection)))
        case .failure(let error):
            link = .idle
            stopListeningWhenUnused()
            endWaiting(with: .failure(error))
        }
    }

    private func begin(_ number: UInt64, with connection: AccessoryConnection) -> AccessorySession {
        let session = AccessorySession(number: number, connection: connection)
        subscribed = []
        sessionConfigurationNumber = connection.place.configurationNumber
        link = .open(session)
        reconnect.opened(at: now)
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
        guard case .open(let session) = link, session.number == number else { return }
        link = .idle
        subscribed = []
        sessionIsLost(ControllerError(reason, at: session.connection.place))
    }
}

extension HTTPMessage {
    /// The HAP status of a body that concerns the whole request, `nil` without one.
    var hapStatus: HAPStatus? {
        guard let answer = try? CharacteristicResponse(parsing: body), let status = answer.status else { return nil }
        return Int32(exactly: status).flatMap(HAPStatus.init)
    }
}
