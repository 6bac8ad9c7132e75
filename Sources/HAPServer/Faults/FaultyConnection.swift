internal import AccessoryModel
internal import HAPCore
internal import HAPTransport
internal import NIOCore

/// A connection into which faults are injected.
///
/// Only a server that was given an ``Interference`` has such connections: the path of a request without faults is that of
/// ``ServerConnection``.
final class FaultyConnection: ServerConnection {
    private let interference: any Interference
    /// When the first request is acted on.
    private var heldUntil: MonotonicInstant?
    /// What the request is about that is being answered.
    private var subject: RequestSubject?
    /// What the connection has unsubscribed from.
    private var unsubscribed: Set<CharacteristicID> = []
    /// The response that is delayed.
    private(set) var heldResponse: HeldResponse?
    private var delayed = DelayedMessages()

    init(
        _ interference: any Interference,
        id: ConnectionID,
        peer: SocketAddress?,
        channel: AccessoryChannelHandler,
        identity: IdentityRecord,
        openedAt now: MonotonicInstant
    ) {
        self.interference = interference
        super.init(id: id, peer: peer, channel: channel, identity: identity, openedAt: now)
    }

    override func opened(by server: isolated AccessoryServer) {
        server.apply(server.presence.conditions.eventTiming, to: self)
        switch server.interfere(at: .accept(open: server.connections.openCount), by: interference) {
        case .delay(let delay): heldUntil = server.now.advanced(by: delay)
        case .drop: server.close(self, .interference)
        case .reset: server.reset(self, .interference)
        case .pass, .duplicate, .replace, .transmit, .hang, .fail, .insist: break
        }
    }

    override func handle(_ request: HTTPRequest, by server: isolated AccessoryServer) {
        let subject = RequestSubject(request)
        self.subject = subject
        var delay = Duration.zero
        if let heldUntil, server.now < heldUntil {
            delay = server.now.duration(to: heldUntil)
        }
        switch server.interfere(at: .request(id, subject), by: interference) {
        case .delay(let more): delay += more
        case .drop:
            channel.skipResponse()
            return
        case .hang: return
        case .reset:
            server.reset(self, .interference)
            return
        case .pass, .duplicate, .replace, .transmit, .fail, .insist: break
        }
        guard delay > .zero else { return server.route(request, from: self) }
        wait(for: delay, on: server) { server, connection in server.route(request, from: connection) }
    }

    override func refusals(of request: CharacteristicReadRequest, by server: isolated AccessoryServer) -> [HAPStatus?] {
        request.addresses.map { refusal(of: $0, isWrite: false, by: server) }
    }

    override func refusals(of request: CharacteristicWriteRequest, by server: isolated AccessoryServer) -> [HAPStatus?]
    {
        request.items.map { item in
            if let status = refusal(of: item.address, isWrite: true, by: server) { return status }
            noteSubscription(item, in: server.database)
            return nil
        }
    }

    private func refusal(
        of address: CharacteristicAddress,
        isWrite: Bool,
        by server: isolated AccessoryServer
    ) -> HAPStatus? {
        guard let characteristic = address.id,
            case .fail(let status) = server.interfere(at: .item(id, characteristic, isWrite: isWrite), by: interference)
        else { return nil }
        return status == .success ? .unableToPerform : status
    }

    /// Notes what the connection unsubscribes from, and what it subscribes to again.
    private func noteSubscription(_ item: CharacteristicWriteItem, in database: AttributeDatabase) {
        guard let ev = item.ev, let characteristic = item.address.id, let index = database.index(of: characteristic)
        else { return }
        if ev {
            unsubscribed.remove(characteristic)
        } else if database.subscriptions.contains(id.subscriber, index) {
            unsubscribed.insert(characteristic)
        }
    }

    override func send(_ response: HTTPResponse, then sequel: ResponseSequel, by server: isolated AccessoryServer) {
        var message: [UInt8] = []
        response.append(to: &message)
        let subject = subject ?? RequestSubject(.other, path: "")
        switch server.interfere(at: .response(id, subject, message), by: interference) {
        case .pass, .hang, .fail, .insist:
            channel.pieceSize = nil
            channel.respond(response, then: sequel)
        case .delay(let delay):
            let timer = server.schedule(after: delay) { [id] server in
                (server.connections[id] as? FaultyConnection)?.releaseResponse(by: server)
            }
            heldResponse = HeldResponse(response: response, sequel: sequel, timer: timer)
        case .drop: channel.skipResponse(then: sequel)
        case .duplicate: channel.respond(replacement: message + message, then: sequel)
        case .replace(let bytes): channel.respond(replacement: bytes, then: sequel)
        case .transmit(let transmission): transmit(message, as: transmission, then: sequel, by: server)
        case .reset:
            server.reset(self, .interference)
            sequel.whenWritten?()
        }
    }

    override func send(_ message: [UInt8], about events: [PendingEvent], by server: isolated AccessoryServer) {
        switch server.interfere(at: .event(id, events.map(\.id), message), by: interference) {
        case .pass, .hang, .fail, .insist:
            channel.pieceSize = nil
            channel.send(message)
        case .delay(let delay):
            wait(for: delay, on: server) { _, connection in connection.channel.send(message) }
        case .drop: break
        case .duplicate: channel.send(message + message)
        case .replace(let bytes): channel.send(bytes)
        case .transmit(let transmission): transmit(message, as: transmission, then: nil, by: server)
        case .reset: server.reset(self, .interference)
        }
    }

    override func closed() {
        super.closed()
        delayed.cancelAll()
        guard let heldResponse else { return }
        heldResponse.timer.cancel()
        heldResponse.sequel.whenWritten?()
    }

    /// Sends the response that was delayed.
    func releaseResponse(by server: isolated AccessoryServer) {
        guard let held = heldResponse.take() else { return }
        held.timer.cancel()
        channel.respond(held.response, then: held.sequel)
        server.sendDueEvents(to: id)
    }

    /// Asks the interference whether this change is sent now.
    ///
    /// A timer sends a delayed change later.
    func receives(_ change: ValueChange, as audience: NoticeAudience, by server: isolated AccessoryServer) -> Bool {
        switch server.interfere(at: .notice(id, change.id, audience), by: interference) {
        case .drop: return false
        case .insist:
            overtake(change)
            return true
        case .delay(let delay):
            let event = PendingEvent(id: change.id, value: change.value)
            let isUrgent = change.isButton
            wait(isUrgent ? nil : event.id, for: delay, on: server) { server, connection in
                guard let index = server.database.index(of: event.id),
                    server.database.subscriptions.contains(connection.id.subscriber, index)
                else { return }
                connection.events.willEnqueue(at: server.now)
                server.enqueue(event, isUrgent: isUrgent, for: connection)
                server.sendDueEvents(to: connection.id)
            }
            return false
        case .pass, .duplicate, .replace, .transmit, .hang, .reset, .fail:
            overtake(change)
            return audience == .subscriber
        }
    }

    /// Whether the connection has unsubscribed from a characteristic and is sent its change all the same.
    func receivesUnsubscribed(_ change: ValueChange, by server: isolated AccessoryServer) -> Bool {
        unsubscribed.contains(change.id) && receives(change, as: .unsubscribed, by: server)
    }

    /// Does something later, unless the connection has closed by then.
    ///
    /// - Parameter change: The characteristic whose change is delayed: a later change that comes before replaces it.
    private func wait(
        _ change: CharacteristicID? = nil,
        for delay: Duration,
        on server: isolated AccessoryServer,
        then body: @escaping @Sendable (isolated AccessoryServer, ServerConnection) -> Void
    ) {
        delayed.add(change) { number in
            server.schedule(after: delay) { [id] server in
                guard let connection = server.connections[id] as? FaultyConnection else { return }
                connection.delayed.take(number)
                if let change {
                    connection.delayed.overtake(change, by: number)
                }
                body(server, connection)
            }
        }
    }

    /// Gives up the delayed changes of a characteristic that are older; each press of a button counts.
    private func overtake(_ change: ValueChange) {
        if !change.isButton {
            delayed.overtake(change.id)
        }
    }

    private func transmit(
        _ message: [UInt8],
        as transmission: Transmission,
        then sequel: ResponseSequel?,
        by server: isolated AccessoryServer
    ) {
        channel.pieceSize = transmission.pieceSize
        let bytes = transmission.bytes(of: message)
        if let sequel, transmission.ending == .none {
            channel.respond(replacement: bytes, isCorrupt: transmission.isCorrupt, then: sequel)
            return
        }
        // Not answered, the connection takes nothing more, and no event leaves it.
        channel.send(bytes, isCorrupt: transmission.isCorrupt)
        if transmission.ending == .reset {
            server.reset(self, .interference)
        }
        sequel?.whenWritten?()
    }
}

/// The requests, events and event messages of one connection that injected faults delay.
struct DelayedMessages {
    /// What is delayed, by its place in the order in which it was to come.
    private var waiting: [UInt64: (change: CharacteristicID?, timer: Scheduled<Void>)] = [:]
    private var last: UInt64 = 0

    /// Delays something until a timer fires.
    ///
    /// - Parameters:
    ///   - change: The characteristic whose change is delayed; `nil` for what always comes.
    ///   - timer: Makes the timer, which takes out what has this number.
    mutating func add(_ change: CharacteristicID?, until timer: (_ number: UInt64) -> Scheduled<Void>) {
        last += 1
        waiting[last] = (change, timer(last))
    }

    /// Takes out what comes now.
    mutating func take(_ number: UInt64) {
        waiting[number] = nil
    }

    /// Gives up the changes of a characteristic that are older than the one that comes now.
    ///
    /// - Parameter number: Of the one that comes now; `nil` for one that was not delayed.
    mutating func overtake(_ id: CharacteristicID, by number: UInt64? = nil) {
        for (older, delayed) in waiting where delayed.change == id && older < number ?? .max {
            delayed.timer.cancel()
            waiting[older] = nil
        }
    }

    /// Gives up everything.
    mutating func cancelAll() {
        for delayed in waiting.values {
            delayed.timer.cancel()
        }
        waiting = [:]
    }
}

/// A response that an injected fault delays.
struct HeldResponse {
    let response: HTTPResponse
    let sequel: ResponseSequel
    let timer: Scheduled<Void>
}

extension RequestSubject {
    /// What a request is about; of one that cannot be read, only its path is known.
    init(_ request: HTTPRequest) {
        var addresses: [CharacteristicAddress] = []
        if request.endpoint == .characteristics {
            switch request.method {
            case .get: addresses = (try? CharacteristicReadRequest(query: request.query))?.addresses ?? []
            case .put: addresses = (try? CharacteristicWriteRequest(parsing: request.body))?.items.map(\.address) ?? []
            case .post, .other: break
            }
        }
        self.init(request.method, path: request.pathText, characteristics: addresses.compactMap(\.id))
    }
}
