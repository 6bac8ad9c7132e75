internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// A connection into which faults are injected.
///
/// Only a server with a ``FaultInjection`` uses it, so requests to other servers pass through ``ServerConnection``
/// alone.
final class FaultyConnection: ServerConnection {
    /// The time before which no request is handled.
    private var delayedUntil: MonotonicInstant?
    /// The request that is being answered.
    private var subject: RequestSummary?
    /// The characteristics that the connection has unsubscribed from.
    private var unsubscribed: Set<CharacteristicID> = []
    /// The response that is delayed.
    private(set) var delayedResponse: DelayedResponse?
    private var delayed = DelayedMessages()

    override func didOpen(by server: isolated AccessoryServer) {
        server.apply(server.presence.conditions.eventTiming, to: self)
        switch server.injectFault(at: .accept(openConnections: server.connections.openCount)) {
        case .delay(let delay): delayedUntil = server.now.advanced(by: delay)
        case .drop: server.close(self, .faultInjection)
        case .reset: server.reset(self, .faultInjection)
        case .proceed, .duplicate, .replace, .transmit, .hang, .fail, .notifyAnyway: break
        }
    }

    override func handle(_ request: HTTPRequest, by server: isolated AccessoryServer) {
        guard server.injectsFaults || delayedUntil != nil else {
            subject = nil
            return super.handle(request, by: server)
        }
        let subject = RequestSummary(request, form: channelHandler.lastRequestForm)
        self.subject = subject
        var delay = Duration.zero
        if let delayedUntil, server.now < delayedUntil {
            delay = server.now.duration(to: delayedUntil)
        }
        switch server.injectFault(at: .request(id, subject)) {
        case .delay(let more): delay += more
        case .drop:
            channelHandler.skipResponse()
            return
        case .hang: return
        case .reset:
            server.reset(self, .faultInjection)
            return
        case .replace(let response):
            channelHandler.pieceSize = nil
            channelHandler.respond(replacement: response)
            return
        case .proceed, .duplicate, .transmit, .fail, .notifyAnyway: break
        }
        guard delay > .zero else { return server.route(request, from: self) }
        runDelayed(for: delay, on: server) { server, connection in server.route(request, from: connection) }
    }

    override func refusals(of request: CharacteristicReadRequest, by server: isolated AccessoryServer) -> [HAPStatus?] {
        guard server.injectsFaults else { return [] }
        return request.addresses.map { refusal(of: $0, isWrite: false, by: server) }
    }

    override func refusals(of request: CharacteristicWriteRequest, by server: isolated AccessoryServer) -> [HAPStatus?]
    {
        guard server.injectsFaults else {
            for item in request.items { recordSubscription(item, in: server.database) }
            return []
        }
        return request.items.map { item in
            if let status = refusal(of: item.address, isWrite: true, by: server) { return status }
            recordSubscription(item, in: server.database)
            return nil
        }
    }

    private func refusal(
        of address: CharacteristicAddress,
        isWrite: Bool,
        by server: isolated AccessoryServer
    ) -> HAPStatus? {
        guard let characteristic = address.id,
            case .fail(let status) = server.injectFault(
                at: .characteristicAccess(id, characteristic, isWrite: isWrite)
            )
        else { return nil }
        return status == .success ? .unableToPerform : status
    }

    /// Records that the connection unsubscribes, or subscribes again.
    private func recordSubscription(_ item: CharacteristicWriteItem, in database: AttributeDatabase) {
        guard let ev = item.ev, let characteristic = item.address.id, let index = database.index(of: characteristic)
        else { return }
        if ev {
            unsubscribed.remove(characteristic)
        } else if database.subscriptions.contains(id.subscriber, index) {
            unsubscribed.insert(characteristic)
        }
    }

    override func sendResponse(
        _ response: HTTPResponse,
        then sequel: ResponseCompletion,
        by server: isolated AccessoryServer
    ) {
        guard server.injectsFaults else {
            channelHandler.pieceSize = nil
            return super.sendResponse(response, then: sequel, by: server)
        }
        var message: [UInt8] = []
        response.append(to: &message)
        let subject = subject ?? RequestSummary(.other, path: "")
        switch server.injectFault(at: .response(id, subject, message)) {
        case .proceed, .hang, .fail, .notifyAnyway:
            channelHandler.pieceSize = nil
            channelHandler.respond(response, then: sequel)
        case .delay(let delay):
            let timer = server.schedule(after: delay) { [id] server in
                (server.connections[id] as? FaultyConnection)?.sendDelayedResponse(by: server)
            }
            delayedResponse = DelayedResponse(response: response, completion: sequel, timer: timer)
        case .drop: channelHandler.skipResponse(then: sequel)
        case .duplicate: channelHandler.respond(replacement: message + message, then: sequel)
        case .replace(let bytes): channelHandler.respond(replacement: bytes, then: sequel)
        case .transmit(let transmission): transmit(message, as: transmission, then: sequel, by: server)
        case .reset:
            server.reset(self, .faultInjection)
            sequel.onWritten?()
        }
    }

    override func sendEventMessage(
        _ message: [UInt8],
        about events: [PendingEvent],
        by server: isolated AccessoryServer
    ) {
        guard server.injectsFaults else {
            channelHandler.pieceSize = nil
            return super.sendEventMessage(message, about: events, by: server)
        }
        switch server.injectFault(at: .eventMessage(id, events.map(\.id), message)) {
        case .proceed, .hang, .fail, .notifyAnyway:
            channelHandler.pieceSize = nil
            channelHandler.send(message)
        case .delay(let delay):
            runDelayed(for: delay, on: server) { _, connection in connection.channelHandler.send(message) }
        case .drop: break
        case .duplicate: channelHandler.send(message + message)
        case .replace(let bytes): channelHandler.send(bytes)
        case .transmit(let transmission): transmit(message, as: transmission, then: nil, by: server)
        case .reset: server.reset(self, .faultInjection)
        }
    }

    override func didClose() {
        super.didClose()
        delayed.cancelAll()
        guard let delayedResponse else { return }
        delayedResponse.timer.cancel()
        delayedResponse.completion.onWritten?()
    }

    /// Sends the response that was delayed.
    func sendDelayedResponse(by server: isolated AccessoryServer) {
        guard let held = delayedResponse.take() else { return }
        held.timer.cancel()
        channelHandler.respond(held.response, then: held.completion)
        server.sendDueEvents(to: id)
    }

    /// Asks the fault injection whether this change is sent now.
    ///
    /// A timer sends a delayed change later.
    func decideDelivery(of change: ValueChange, as audience: EventRecipient, by server: isolated AccessoryServer)
        -> Bool
    {
        switch server.injectFault(at: .notification(id, change.id, audience)) {
        case .drop: return false
        case .notifyAnyway:
            cancelOlderChanges(than: change)
            return true
        case .delay(let delay):
            let event = PendingEvent(id: change.id, value: change.value)
            let isUrgent = change.isButton
            runDelayed(isUrgent ? nil : event.id, for: delay, on: server) { server, connection in
                guard let index = server.database.index(of: event.id),
                    server.database.subscriptions.contains(connection.id.subscriber, index)
                else { return }
                connection.events.startBatchIfNeeded(at: server.now)
                server.enqueueEvent(event, isUrgent: isUrgent, for: connection)
                server.sendDueEvents(to: connection.id)
            }
            return false
        case .proceed, .duplicate, .replace, .transmit, .hang, .reset, .fail:
            cancelOlderChanges(than: change)
            return audience == .subscriber
        }
    }

    /// Returns whether the connection has unsubscribed from a characteristic but still receives its change.
    func decideUnsubscribedDelivery(of change: ValueChange, by server: isolated AccessoryServer) -> Bool {
        unsubscribed.contains(change.id) && decideDelivery(of: change, as: .unsubscribed, by: server)
    }

    /// Runs a function after a delay, unless the connection is closed by then.
    ///
    /// - Parameter change: The characteristic whose change is delayed; if a later change of it is sent first, the
    ///   delayed one is dropped.
    private func runDelayed(
        _ change: CharacteristicID? = nil,
        for delay: Duration,
        on server: isolated AccessoryServer,
        then body: @escaping @Sendable (isolated AccessoryServer, ServerConnection) -> Void
    ) {
        delayed.add(change) { number in
            server.schedule(after: delay) { [id] server in
                guard let connection = server.connections[id] as? FaultyConnection else { return }
                connection.delayed.remove(number)
                if let change {
                    connection.delayed.cancelChanges(of: change, olderThan: number)
                }
                body(server, connection)
            }
        }
    }

    /// Cancels older delayed changes of a characteristic; presses of a button are never canceled.
    private func cancelOlderChanges(than change: ValueChange) {
        if !change.isButton {
            delayed.cancelChanges(of: change.id)
        }
    }

    private func transmit(
        _ message: [UInt8],
        as transmission: Transmission,
        then sequel: ResponseCompletion?,
        by server: isolated AccessoryServer
    ) {
        channelHandler.pieceSize = transmission.chunkSize
        let bytes = transmission.bytes(of: message)
        if let sequel, transmission.ending == .none {
            channelHandler.respond(replacement: bytes, isCorrupt: transmission.isCorrupt, then: sequel)
            return
        }
        // This is not a response, so the connection handles no further request and sends no event.
        channelHandler.send(bytes, isCorrupt: transmission.isCorrupt)
        if transmission.ending == .reset {
            server.reset(self, .faultInjection)
        }
        sequel?.onWritten?()
    }
}

/// The requests, events and event messages of one connection that injected faults delay.
struct DelayedMessages {
    /// The delayed messages by their original order.
    private var messages: [UInt64: (change: CharacteristicID?, timer: Scheduled<Void>)] = [:]
    private var lastNumber: UInt64 = 0

    /// Delays a message until a timer fires.
    ///
    /// - Parameters:
    ///   - change: The characteristic whose change is delayed; `nil` for a message that is always sent.
    ///   - timer: Creates the timer, which removes the message with this number.
    mutating func add(_ change: CharacteristicID?, makeTimer timer: (_ number: UInt64) -> Scheduled<Void>) {
        lastNumber += 1
        messages[lastNumber] = (change, timer(lastNumber))
    }

    /// Removes a message, which is sent now.
    mutating func remove(_ number: UInt64) {
        messages[number] = nil
    }

    /// Drops the delayed changes of a characteristic that are older than the change that is sent now.
    ///
    /// - Parameter number: The number of the change that is sent now; `nil` if that change was not delayed.
    mutating func cancelChanges(of id: CharacteristicID, olderThan number: UInt64? = nil) {
        for (older, delayed) in messages where delayed.change == id && older < number ?? .max {
            delayed.timer.cancel()
            messages[older] = nil
        }
    }

    /// Cancels everything.
    mutating func cancelAll() {
        for delayed in messages.values {
            delayed.timer.cancel()
        }
        messages = [:]
    }
}

/// A response that an injected fault delays.
struct DelayedResponse {
    let response: HTTPResponse
    let completion: ResponseCompletion
    let timer: Scheduled<Void>
}

extension RequestSummary {
    /// Summarizes a request; for a body that cannot be read, only the path is known.
    init(_ request: HTTPRequest, form: HTTPRequestForm) {
        var addresses: [CharacteristicAddress] = []
        var writes: [CharacteristicWriteItem] = []
        if request.endpoint == .characteristics {
            switch request.method {
            case .get: addresses = (try? CharacteristicReadRequest(query: request.query))?.addresses ?? []
            case .put:
                writes = (try? CharacteristicWriteRequest(parsing: request.body))?.items ?? []
                addresses = writes.map(\.address)
            case .post, .other: break
            }
        }
        self.init(request.method, path: request.path, characteristics: addresses.compactMap(\.id))
        self.writes = writes
        self.form = form
        self.form.targetByteCount = request.path.utf8.count + (request.query.isEmpty ? 0 : 1 + request.query.count)
    }
}
