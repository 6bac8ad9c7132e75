internal import AccessoryModel
internal import HAPCore
internal import HAPTransport

extension AccessoryServer {
    /// Queues an event for each subscriber, sends what is due, and schedules the save of the changed values.
    ///
    /// A writer gets no event for the value that it wrote. An event waits until one second after the last event message to
    /// its connection (`EventQueue`), until the connection is free, and behind other connections if there are many.
    ///
    /// HAP: §14
    func publish(_ changes: ChangeSet, by origin: ChangeOrigin) {
        guard !changes.isEmpty else { return }
        let writer: ConnectionID? = if case .controller(let id) = origin { id } else { nil }
        for change in changes.changes
        where change.value != change.previous && database.characteristics[change.index].isKept {
            unsavedValues.insert(change.id)
        }
        let concerned =
            if let interference = ports.interference {
                enqueue(changes.changes, besides: writer, by: interference)
            } else if changes.changes.count > Self.few {
                enqueueRuns(of: changes.changes, besides: writer)
            } else {
                enqueue(changes.changes, besides: writer)
            }
        sendDueEvents(of: changes, to: concerned)
        if let observer {
            report(changes, by: origin, concerned: concerned, to: observer)
        }
        scheduleSave()
    }

    /// Puts changes into the queues of their subscribers, one by one; returns these.
    private func enqueue(_ changes: [ValueChange], besides writer: ConnectionID?) -> [ConnectionID] {
        var concerned: [ConnectionID] = []
        // The connections in `concerned`. Of one change each subscriber hears once.
        var known: Set<ConnectionID> = []
        let mayRepeat = changes.count > 1
        for change in changes {
            for subscriber in database.subscriptions.subscribers(of: change.index) {
                let id = ConnectionID(subscriber.rawValue)
                guard let connection = connections[id] else { continue }
                guard id == writer ? change.concernsWriter : change.concernsEveryone else {
                    if id == writer {
                        connection.events.drop(change.id)
                    }
                    continue
                }
                enqueue(PendingEvent(id: change.id, value: change.value), isUrgent: change.isButton, for: connection)
                if !mayRepeat || known.insert(id).inserted {
                    concerned.append(id)
                }
            }
        }
        return concerned
    }

    /// Does the same for many changes: subscribers of the same changes share one list.
    private func enqueueRuns(of changes: [ValueChange], besides writer: ConnectionID?) -> [ConnectionID] {
        var concerned: [ConnectionID] = []
        var known: Set<ConnectionID> = []
        var rest = changes[...]
        while let first = rest.first {
            let subscribers = database.subscriptions.subscribers(of: first.index)
            let run = rest.prefix { database.subscriptions.subscribers(of: $0.index) == subscribers }
            rest = rest.dropFirst(run.count)
            let told = run.filter(\.concernsEveryone)
            let hasButton = told.contains(where: \.isButton)
            let events = told.map { PendingEvent(id: $0.id, value: $0.value) }
            for subscriber in subscribers {
                let id = ConnectionID(subscriber.rawValue)
                guard let connection = connections[id] else { continue }
                let own = id == writer ? run.filter(\.concernsWriter) : told
                if id == writer {
                    connection.events.drop(run.lazy.filter { !$0.concernsWriter }.map(\.id))
                }
                guard !own.isEmpty else { continue }
                if id == writer || hasButton || connection.sendsEventsSingly {
                    for change in own {
                        let event = PendingEvent(id: change.id, value: change.value)
                        enqueue(event, isUrgent: change.isButton, for: connection)
                    }
                } else {
                    connection.events.enqueue(contentsOf: events)
                }
                if known.insert(id).inserted {
                    concerned.append(id)
                }
            }
        }
        return concerned
    }

    /// How many changes are looked at one by one.
    private static let few = 16

    /// Sends what is due to the connections that some changes concern; beyond the events of one turn, in later turns.
    private func sendDueEvents(of changes: ChangeSet, to concerned: [ConnectionID]) {
        var remaining = EventLine.eventsPerTurn
        for id in concerned {
            if remaining <= 0, let deadline = connections[id]?.events.deadline, deadline <= now {
                sendDueEventsInTurn(to: id)
            } else if sendDueEvents(to: id) {
                remaining -= changes.changes.count
            }
        }
        if remaining < EventLine.eventsPerTurn {
            // The events are sent now, before an observer writes its log.
            transport.sendBatch()
        }
    }

    /// Sends what is due to one connection when others have had their turn.
    private func sendDueEventsInTurn(to id: ConnectionID) {
        guard connections[id] != nil, eventLine.add(id) else { return }
        waitForTurn(.events, isSession: true)
    }

    /// Sends what is due to the connections that wait for that, as many as one turn has time for.
    func takeEventTurn(eventCount: Int = EventLine.eventsPerTurn) {
        var remaining = eventCount
        while remaining > 0, let id = eventLine.next() {
            guard let connection = connections[id] else { continue }
            remaining -= max(1, connection.events.count)
            sendDueEvents(to: id)
        }
        transport.sendBatch()
        if !eventLine.isEmpty {
            waitForTurn(.events, isSession: true)
        }
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
        let due = connection.events.takeDue(at: now, availableBytes: connection.channel.availableBytes)
        guard !due.isEmpty else {
            // Other controllers do not read what they were sent: the event waits until there is memory for it.
            waitForEvents(of: connection, until: now.advanced(by: EventQueue.spacing), now: now)
            return false
        }
        // What has left the server meanwhile has no value to be told.
        let events = database.present(due)
        guard !events.isEmpty else { return sendDueEvents(to: id) }
        if connection.sendsEventsSingly {
            for event in events {
                send([event], to: connection)
            }
        } else {
            send(events, to: connection)
        }
        if connection.events.deadline != nil {
            // What one message had no room for.
            sendDueEvents(to: id)
        }
        return true
    }

    /// Lets a change wait for its connection.
    func enqueue(_ event: PendingEvent, isUrgent: Bool, for connection: ServerConnection) {
        connection.events.enqueue(event, isUrgent: isUrgent || connection.sendsEventsSingly)
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
        var ids: Set<CharacteristicID> = []
        // Loops: a closure that captures the actor asks the runtime each time whether it runs there.
        for id in concerned where !eventLine.contains(id) {
            guard let connection = connections[id], !connection.events.pending.isEmpty else { continue }
            if ids.isEmpty { ids = Set(changes.changes.lazy.map(\.id)) }
            for id in connection.events.waiting(among: ids) {
                observer.observe(.eventCoalesced(connection.id, id))
            }
        }
    }

    private func waitForEvents(of connection: ServerConnection, until deadline: MonotonicInstant, now: MonotonicInstant)
    {
        guard connection.eventTimer == nil else { return }
        let id = connection.id
        connection.eventTimer = schedule(after: now.duration(to: deadline)) { server in
            server.connections[id]?.eventTimer = nil
            server.sendDueEventsInTurn(to: id)
        }
    }

    private func send(_ events: [PendingEvent], to connection: ServerConnection) {
        var message: [UInt8] = []
        HTTPEvent(body: database.body(of: events)).append(to: &message)
        observer?.observe(.eventSent(connection.id, count: events.count))
        if let itemObserver = ports.itemObserver {
            for event in events {
                itemObserver.observe(.characteristicTold(connection.id, event.id, event.value))
            }
        }
        connection.send(message, about: events, by: self)
    }
}
