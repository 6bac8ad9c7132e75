internal import AccessoryModel
internal import AsyncPrimitives
public import HAPCore
internal import NIOCore

extension PairedAccessory {
    /// Watches characteristics.
    ///
    /// The first change is ``AccessoryChange/connected``, followed by each current value, and then by changes. When a
    /// session is lost, the controller tries to open another one until it succeeds. Differences to the last reported
    /// values are reported as changes. If more than ``ControllerConfiguration/maximumPendingChanges`` changes wait,
    /// only the latest value of each characteristic is kept.
    ///
    /// If the accessory refuses events for a characteristic, ``AccessoryChange/refused(_:)`` reports that in each
    /// session; if it fails the read of its value, ``AccessoryChange/unreadable(_:)`` does. Presses of a button are
    /// reported only when they happen.
    ///
    /// The sequence throws ``ControllerError`` in these cases: it cannot start, because there is no session or the
    /// accessory refuses events for all characteristics; the accessory no longer knows this controller; the latest
    /// waiting values are larger than ``ControllerConfiguration/maximumPendingBytes``.
    public func changes(of ids: [CharacteristicID]) -> AccessoryChanges {
        let subscriber = Subscriber(
            ids: Set(ids),
            limit: configuration.maximumPendingChanges,
            byteLimit: configuration.maximumPendingBytes
        )
        let number = subscribers.add(subscriber)
        if link.isClosed {
            subscriber.mailbox.finish(.failure(.closed))
        } else {
            startListening()
            subscribers.attach(Task { await start(number) }, to: number)
        }
        return AccessoryChanges(
            // A subscriber keeps the session alive, even without another reference to the accessory.
            subscription: AccessoryChanges.Subscription(mailbox: subscriber.mailbox) {
                Task { await self.endSubscription(number) }
            }
        )
    }

    private func start(_ number: UInt64) async {
        do throws(ControllerError) {
            try await inSession { session async throws(ControllerError) in
                try await self.start([number], in: session)
            }
        } catch {
            subscribers.remove(number)?.mailbox.finish(.failure(error))
            stopReconnectingWhenUnused()
        }
        // A subscriber that left in the meantime may have left its characteristics subscribed.
        await unsubscribeUnwanted()
    }

    private func endSubscription(_ number: UInt64) async {
        guard let subscriber = subscribers.remove(number) else { return }
        subscriber.startTask?.cancel()
        stopReconnectingWhenUnused()
        await unsubscribeUnwanted()
    }

    /// Subscribes a session to the characteristics of some subscribers, reads the characteristics, and reports the
    /// values to the subscribers.
    private func start(_ numbers: [UInt64], in session: AccessorySession) async throws(ControllerError) {
        // The database is needed to know the formats of the values in events.
        _ = try await accessories(in: session)
        let ids = subscribers.ids(of: numbers)
        let missing = subscribers.missingSubscriptions(for: ids)
        var rest = missing.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: true) }[...]
        var items: ItemResults = [:]
        var failure: ControllerError?
        do throws(ControllerError) {
            try await subscribe(to: &rest, into: &items, in: session)
        } catch {
            failure = error
        }
        try requireCurrent(session)
        let refused = items.compactMapValues { $0.isSuccess ? nil : $0.status }
        // Also after a failure, so that what was subscribed is unsubscribed later.
        subscribers.recordSubscription(to: missing.dropLast(rest.count), except: refused)
        if let failure { throw failure }
        if let error = subscribers.failure(of: numbers, refused: refused) { throw error }
        let known = try await characteristics(of: ids, in: session)
        // Some devices answer a read of a button with its last press, but only an event is a press.
        let readable = ids.filter { known[$0].map { $0.permissions.contains(.read) && !$0.type.isButton } ?? true }
        var unread = readable[...]
        var values: ItemResults = [:]
        try await read(&unread, into: &values, in: session)
        let results = readable.map { CharacteristicResult($0, values[$0], as: known) }
        try requireCurrent(session)
        subscribers.sessionDidStart(for: numbers, with: results, refused: refused)
    }

    private func requireCurrent(_ session: AccessorySession) throws(ControllerError) {
        guard link.isCurrent(session) else { throw .sessionEnded(.peer, at: session.connection.endpoint) }
    }

    /// Unsubscribes the session from characteristics without subscribers.
    private func unsubscribeUnwanted() async {
        while let session = link.session {
            let unwanted = subscribers.unwantedSubscriptions
            let items = unwanted.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: false) }
            let host = session.connection.endpoint.hostHeader
            let count = RequestPart(subscribing: items[...], host: host, within: requestLimits).itemCount
            guard count > 0 else { return }
            // They count as unsubscribed from this point on, so that a new subscriber subscribes again after this
            // request.
            subscribers.recordEnd(ofSubscriptionsTo: Array(unwanted.prefix(count)))
            // Unwanted events are ignored, so a failure does not matter.
            guard (try? await session.write(Array(items.prefix(count)))) != nil else { return }
        }
    }

    /// Handles the body of an event.
    func didReceive(event body: [UInt8], inSession number: UInt64) {
        guard let session = link.session, session.number == number else { return }
        let event: CharacteristicResponse
        do throws(ProtocolError) {
            event = try CharacteristicResponse(parsing: body)
        } catch {
            _ = session.close(after: error)
            return
        }
        let known = database.characteristics(event.items.compactMap(\.address.id))
        for item in event.items {
            guard let id = item.address.id, let json = item.value else { continue }
            subscribers.receive(id, known.value(from: json, of: id))
        }
    }

    // MARK: Sessions that are opened again

    /// Notifies the subscribers of a new session, which another caller may have opened.
    func sessionDidStart() {
        guard !subscribers.startedNumbers.isEmpty else { return }
        reconnector.replaceTimer(with: nil)?.cancel()
        startReconnecting()
    }

    /// Notifies the subscribers of the loss, and opens another session for them.
    func sessionDidEnd(_ error: ControllerError) {
        announcements.sessionDidEnd()
        subscribers.sessionDidEnd(error)
        if !subscribers.startedNumbers.isEmpty {
            perform(reconnector.machine.didLoseSession(at: eventLoop.monotonicNow))
        }
        stopListeningWhenUnused()
    }

    /// Stops reconnecting if there are no subscribers.
    private func stopReconnectingWhenUnused() {
        guard subscribers.isEmpty else { return }
        reconnector.machine.stop()
        perform(.none)
        stopListeningWhenUnused()
    }

    func perform(_ action: ReconnectMachine.Action) {
        reconnector.replaceTimer(with: nil)?.cancel()
        switch action {
        case .none:
            break
        case .wait(let deadline):
            let moment = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline.nanoseconds)))
            let timer = eventLoop.scheduleTask(deadline: moment) { [weak self] () -> Void in
                self?.assumeIsolated { $0.perform($0.reconnector.machine.advance(to: $0.eventLoop.monotonicNow)) }
            }
            _ = reconnector.replaceTimer(with: timer)
        case .open:
            startReconnecting()
        }
    }

    private func startReconnecting() {
        guard reconnector.requestRound() else { return }
        reconnector.attach(
            Task {
                repeat {
                    await reconnectOnce()
                } while reconnector.endRound(isClosed: link.isClosed)
            }
        )
    }

    private func reconnectOnce() async {
        guard !subscribers.startedNumbers.isEmpty else {
            reconnector.machine.stop()
            return
        }
        let session: AccessorySession
        do throws(ControllerError) {
            session = try await self.session()
        } catch {
            handleOpenFailure(error)
            return
        }
        // This session covers all requests for a round so far.
        reconnector.markRequestsFulfilled()
        do throws(ControllerError) {
            try await start(subscribers.startedNumbers, in: session)
        } catch {
            // Closing the session starts the reconnect timer. If another session was opened in the meantime, it has
            // already requested another round.
            closeSession(session, after: error)
        }
    }

    private func handleOpenFailure(_ error: ControllerError) {
        switch error.code {
        case .closed, .cancelled:
            break
        case .refused(.authentication):
            for subscriber in subscribers.removeAll() {
                subscriber.mailbox.finish(.failure(error))
            }
            stopReconnectingWhenUnused()
        default:
            if link.session != nil { return }
            // The loss of the session was already reported, so an accessory that is merely unreachable is not reported
            // again.
            if !error.meansUnreachable {
                subscribers.reconnectDidFail(error)
            }
            perform(reconnector.machine.didFailToOpen(at: eventLoop.monotonicNow))
        }
    }
}

extension ControllerError {
    /// Whether the error only means that the accessory cannot be reached at the moment.
    package var meansUnreachable: Bool {
        switch code {
        case .unreachable, .timedOut, .notFound, .connectionLost, .discovery, .busy: true
        default: false
        }
    }
}
