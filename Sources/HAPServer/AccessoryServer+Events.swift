internal import AccessoryModel
internal import HAPCore
internal import HAPTransport

extension AccessoryServer {
    /// Tells the subscribers what has changed, each what it does not know, and sees to it that it is kept.
    ///
    /// HAP: §14
    func publish(_ changes: ChangeSet, by origin: ChangeOrigin) {
        guard !changes.isEmpty else { return }
        let writer: ConnectionID? = if case .controller(let id) = origin { id } else { nil }
        var concerned: [ConnectionID] = []
        for change in changes.changes {
            if change.value != change.previous, database.characteristics[change.index].isKept {
                unsavedValues.insert(change.id)
            }
            for subscriber in database.subscriptions.subscribers(of: change.index) {
                let id = ConnectionID(subscriber.rawValue)
                guard let connection = connections[id] else { continue }
                guard id == writer ? change.concernsWriter : change.concernsEveryone else {
                    if id == writer {
                        connection.events.drop(change.id)
                    }
                    continue
                }
                connection.events.enqueue(
                    PendingEvent(id: change.id, value: change.value),
                    isUrgent: change.isButton
                )
                if !concerned.contains(id) {
                    concerned.append(id)
                }
            }
        }
        var isAnySent = false
        for id in concerned {
            isAnySent = sendDueEvents(to: id) || isAnySent
        }
        if isAnySent {
            // News go before everything that can be done later, and before a log that wakes to write about them.
            batch.send()
        }
        if let observer {
            report(changes, by: origin, concerned: concerned, to: observer)
        }
        scheduleSave()
    }

    /// Sends what is due to one connection, and waits for what is not.
    ///
    /// Nothing is sent between a request and its response; it follows the response. Returns whether something was sent.
    @discardableResult
    func sendDueEvents(to id: ConnectionID) -> Bool {
        guard let connection = connections[id], let deadline = connection.events.deadline else { return false }
        guard !connection.channel.isBusy, connection.channel.isWritable else {
            connection.channel.reportsWhenFree = true
            return false
        }
        let now = now
        guard deadline <= now else {
            waitForEvents(of: connection, until: deadline, now: now)
            return false
        }
        // What has left the server meanwhile has no value to be told.
        let events = connection.events.takeDue(at: now).filter { database.index(of: $0.id) != nil }
        guard !events.isEmpty else { return false }
        send(events, to: connection)
        return true
    }

    private func report(
        _ changes: ChangeSet,
        by origin: ChangeOrigin,
        concerned: [ConnectionID],
        to observer: any ServerObserver
    ) {
        for change in changes.changes where change.concernsEveryone {
            let type = database.characteristics[change.index].type
            observer.observe(
                .valueChanged(change.id, type, change.value, by: change.written == nil ? .device : origin)
            )
        }
        for id in concerned {
            guard let connection = connections[id] else { continue }
            for change in changes.changes where connection.events.isWaiting(change.id) {
                observer.observe(.eventCoalesced(id, change.id))
            }
        }
    }

    private func waitForEvents(of connection: ServerConnection, until deadline: MonotonicInstant, now: MonotonicInstant)
    {
        guard connection.eventTimer == nil else { return }
        let id = connection.id
        connection.eventTimer = schedule(after: now.duration(to: deadline)) { server in
            server.connections[id]?.eventTimer = nil
            server.sendDueEvents(to: id)
        }
    }

    private func send(_ events: [PendingEvent], to connection: ServerConnection) {
        var writer = CharacteristicResponseWriter(reservingBytes: 32 + 48 * events.count)
        for event in events {
            guard let index = database.index(of: event.id) else { continue }
            writer.beginItem(CharacteristicAddress(event.id))
            writer.json.key(plain: "value")
            writer.json.value(event.value, of: database.characteristics[index].metadata.format)
            writer.endItem()
        }
        var message: [UInt8] = []
        HTTPEvent(body: writer.finish()).append(to: &message)
        observer?.observe(.eventSent(connection.id, count: events.count))
        if let observer, observer.wantsItems {
            for event in events {
                observer.observe(.characteristicTold(connection.id, event.id, event.value))
            }
        }
        deliver(message, to: connection)
    }

    private func deliver(_ message: [UInt8], to connection: ServerConnection) {
        guard let interference else {
            connection.channel.send(message)
            return
        }
        switch interfere(at: .event(connection.id, message), by: interference) {
        case .pass: connection.channel.send(message)
        case .delay(let delay):
            let id = connection.id
            schedule(after: delay) { $0.connections[id]?.channel.send(message) }
        case .drop: break
        case .duplicate: connection.channel.send(message + message)
        case .replace(let bytes): connection.channel.send(bytes)
        case .reset: reset(connection, .interference)
        }
    }
}
