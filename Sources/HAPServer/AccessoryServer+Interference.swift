internal import AccessoryModel
internal import HAPCore
internal import HAPTransport

/// What an ``Interference`` makes of what happens; without one, nothing of this is reached.
extension AccessoryServer {
    /// Asks what shall go wrong, and tells the observer when something does.
    func interfere(at point: InterferencePoint, by interference: any Interference) -> Interruption {
        let interruption = interference.interruption(at: point, now: behaviorTime)
        if interruption != .pass {
            observer?.observe(.interfered(point, interruption))
        }
        return interruption
    }

    /// Takes a new connection, or not.
    func interfere(withOpeningOf connection: ServerConnection, by interference: any Interference) {
        apply(conditions.eventTiming, to: connection)
        let open = connections.openCount
        switch interfere(at: .accept(open: open), by: interference) {
        case .delay(let delay): connection.heldUntil = now.advanced(by: delay)
        case .drop: close(connection, .interference)
        case .reset: reset(connection, .interference)
        case .pass, .duplicate, .replace, .transmit, .hang, .fail, .insist: break
        }
    }

    /// Acts on a request, or not, or later.
    func interfere(with request: HTTPRequest, from connection: ServerConnection, by interference: any Interference) {
        let subject = RequestSubject(request)
        connection.subject = subject
        var delay = Duration.zero
        if let heldUntil = connection.heldUntil, now < heldUntil {
            delay = now.duration(to: heldUntil)
        }
        switch interfere(at: .request(connection.id, subject), by: interference) {
        case .delay(let more): delay += more
        case .drop:
            connection.channel.skipResponse()
            return
        case .hang: return
        case .reset:
            reset(connection, .interference)
            return
        case .pass, .duplicate, .replace, .transmit, .fail, .insist: break
        }
        guard delay > .zero else {
            route(request, from: connection)
            return
        }
        holdBack(of: connection, for: delay) { server, connection in
            server.route(request, from: connection)
        }
    }

    /// The status that an item of a request gets in place of what it should; `nil` for none.
    func interfere(
        withItem address: CharacteristicAddress,
        isWrite: Bool,
        from connection: ServerConnection,
        by interference: any Interference
    ) -> HAPStatus? {
        guard let id = address.id,
            case .fail(let status) = interfere(at: .item(connection.id, id, isWrite: isWrite), by: interference)
        else { return nil }
        return status == .success ? .unableToPerform : status
    }

    /// Sends a response, or something else.
    func interfere(
        with response: HTTPResponse,
        to connection: ServerConnection,
        then sequel: ResponseSequel,
        by interference: any Interference
    ) {
        var message: [UInt8] = []
        response.append(to: &message)
        let subject = connection.subject ?? RequestSubject(.other, path: "")
        switch interfere(at: .response(connection.id, subject, message), by: interference) {
        case .pass, .hang, .fail, .insist:
            connection.channel.pieceSize = nil
            connection.channel.respond(response, then: sequel)
        case .delay(let delay):
            let id = connection.id
            let timer = schedule(after: delay) { server in
                if let connection = server.connections[id] {
                    server.releaseResponse(to: connection)
                }
            }
            connection.heldResponse = HeldResponse(response: response, sequel: sequel, timer: timer)
        case .drop:
            connection.channel.skipResponse(then: sequel)
        case .duplicate:
            connection.channel.respond(replacement: message + message, then: sequel)
        case .replace(let bytes):
            connection.channel.respond(replacement: bytes, then: sequel)
        case .transmit(let transmission):
            transmit(message, as: transmission, to: connection, then: sequel)
        case .reset:
            reset(connection, .interference)
            sequel.whenWritten?()
        }
    }

    /// Sends an event message, or something else.
    func interfere(
        withEvent message: [UInt8],
        about ids: [CharacteristicID],
        to connection: ServerConnection,
        by interference: any Interference
    ) {
        switch interfere(at: .event(connection.id, ids, message), by: interference) {
        case .pass, .hang, .fail, .insist:
            connection.channel.pieceSize = nil
            connection.channel.send(message)
        case .delay(let delay):
            holdBack(of: connection, for: delay) { _, connection in
                connection.channel.send(message)
            }
        case .drop: break
        case .duplicate: connection.channel.send(message + message)
        case .replace(let bytes): connection.channel.send(bytes)
        case .transmit(let transmission): transmit(message, as: transmission, to: connection, then: nil)
        case .reset: reset(connection, .interference)
        }
    }

    /// Whether a connection is told of a change now, whatever should be; one that is told later is told by itself.
    func interfere(
        withNoticeOf change: ValueChange,
        to connection: ServerConnection,
        _ audience: NoticeAudience,
        by interference: any Interference
    ) -> Bool {
        let id = connection.id
        switch interfere(at: .notice(id, change.id, audience), by: interference) {
        case .drop: return false
        case .insist:
            overtake(change, of: connection)
            return true
        case .delay(let delay):
            let event = PendingEvent(id: change.id, value: change.value)
            let isUrgent = change.isButton
            holdBack(isUrgent ? nil : event.id, of: connection, for: delay) { server, connection in
                guard let index = server.database.index(of: event.id),
                    server.database.subscriptions.contains(id.subscriber, index)
                else { return }
                server.enqueue(event, isUrgent: isUrgent, for: connection)
                server.sendDueEvents(to: id)
            }
            return false
        case .pass, .duplicate, .replace, .transmit, .hang, .reset, .fail:
            overtake(change, of: connection)
            return audience == .subscriber
        }
    }

    /// Does something later, unless the connection has ended by then.
    ///
    /// - Parameter change: Whose change it is about, which a later one that comes before makes worthless.
    private func holdBack(
        _ change: CharacteristicID? = nil,
        of connection: ServerConnection,
        for delay: Duration,
        then body: @escaping @Sendable (isolated AccessoryServer, ServerConnection) -> Void
    ) {
        let id = connection.id
        connection.heldBack.hold(change) { number in
            schedule(after: delay) { server in
                guard let connection = server.connections[id] else { return }
                connection.heldBack.take(number)
                if let change {
                    connection.heldBack.overtake(change, by: number)
                }
                body(server, connection)
            }
        }
    }

    /// Gives up what is held back of the older changes of a characteristic; each press of a button counts.
    private func overtake(_ change: ValueChange, of connection: ServerConnection) {
        if !change.isButton {
            connection.heldBack.overtake(change.id)
        }
    }

    private func transmit(
        _ message: [UInt8],
        as transmission: Transmission,
        to connection: ServerConnection,
        then sequel: ResponseSequel?
    ) {
        let channel = connection.channel
        channel.pieceSize = transmission.pieceSize
        let bytes = transmission.bytes(of: message)
        if let sequel, transmission.ending == .none {
            channel.respond(replacement: bytes, isCorrupt: transmission.isCorrupt, then: sequel)
            return
        }
        // Not answered, the connection takes nothing more, and no event leaves it.
        channel.send(bytes, isCorrupt: transmission.isCorrupt)
        if transmission.ending == .reset {
            reset(connection, .interference)
        }
        sequel?.whenWritten?()
    }
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
