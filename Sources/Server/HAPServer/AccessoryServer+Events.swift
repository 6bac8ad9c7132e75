internal import AccessoryModel
internal import HAPCore

extension AccessoryServer {
    /// Queues an event for each subscriber, sends what is due, and schedules the save of the changed values.
    ///
    /// A writer gets no event for the value that it wrote. An event waits until one second after the last event message
    /// to its connection (`EventQueue`), and until the connection is free. If there are many connections, it also waits
    /// for its turn.
    ///
    /// HAP: §14
    func publish(_ changes: ChangeSet, by origin: ChangeOrigin) {
        guard !changes.isEmpty else { return }
        let writer: ConnectionID? = if case .controller(let id) = origin { id } else { nil }
        for change in changes.changes
        where change.value != change.previous && database.characteristics[change.index].isPersistent {
            unsavedValues.insert(change.id)
        }
        let concerned =
            if injectsFaults {
                enqueueFaultyEvents(for: changes.changes, except: writer)
            } else if changes.changes.count > Self.maximumUngroupedChanges {
                enqueueGroupedEvents(for: changes.changes, except: writer)
            } else {
                enqueueEvents(for: changes.changes, except: writer)
            }
        sendDueEvents(of: changes, to: concerned)
        if let observer {
            reportChanges(changes, by: origin, concerned: concerned, to: observer)
        }
        scheduleSave()
    }

    /// Adds changes to the queues of their subscribers one by one, and returns these subscribers.
    private func enqueueEvents(for changes: [ValueChange], except writer: ConnectionID?) -> [ConnectionID] {
        var concerned: [ConnectionID] = []
        // The connections that are already in `concerned`, so that each is listed once.
        var known: Set<ConnectionID> = []
        let mayRepeat = changes.count > 1
        for change in changes {
            for subscriber in database.subscriptions.subscribers(of: change.index) {
                let id = ConnectionID(subscriber.rawValue)
                guard let connection = connections[id] else { continue }
                guard id == writer ? change.notifiesWriter : change.notifiesSubscribers else {
                    if id == writer {
                        connection.events.drop(change.id)
                    }
                    continue
                }
                enqueueEvent(
                    PendingEvent(id: change.id, value: change.value),
                    isUrgent: change.isButton,
                    for: connection
                )
                if !mayRepeat || known.insert(id).inserted {
                    concerned.append(id)
                }
            }
        }
        return concerned
    }

    /// Adds many changes to the queues of their subscribers, and returns these subscribers; subscribers of the same
    /// changes share one list.
    private func enqueueGroupedEvents(for changes: [ValueChange], except writer: ConnectionID?) -> [ConnectionID] {
        var concerned: [ConnectionID] = []
        var known: Set<ConnectionID> = []
        var rest = changes[...]
        while let first = rest.first {
            let subscribers = database.subscriptions.subscribers(of: first.index)
            let run = rest.prefix { database.subscriptions.subscribers(of: $0.index) == subscribers }
            rest = rest.dropFirst(run.count)
            let reported = run.filter(\.notifiesSubscribers)
            let hasButton = reported.contains(where: \.isButton)
            let events = reported.map { PendingEvent(id: $0.id, value: $0.value) }
            for subscriber in subscribers {
                let id = ConnectionID(subscriber.rawValue)
                guard let connection = connections[id] else { continue }
                let own = id == writer ? run.filter(\.notifiesWriter) : reported
                if id == writer {
                    connection.events.drop(run.lazy.filter { !$0.notifiesWriter }.map(\.id))
                }
                guard !own.isEmpty else { continue }
                if id == writer || hasButton || connection.sendsEventsIndividually {
                    for change in own {
                        let event = PendingEvent(id: change.id, value: change.value)
                        enqueueEvent(event, isUrgent: change.isButton, for: connection)
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

    /// The number of changes up to which they are handled one by one.
    private static let maximumUngroupedChanges = 16

    /// Sends due events to the connections that receive some changes.
    ///
    /// Events beyond the limit of a turn are sent in later turns.
    private func sendDueEvents(of changes: ChangeSet, to concerned: [ConnectionID]) {
        var remaining = EventSendQueue.eventsPerTurn
        for id in concerned {
            if remaining <= 0, let deadline = connections[id]?.events.deadline, deadline <= now {
                deferDueEvents(to: id)
            } else if sendDueEvents(to: id) {
                remaining -= changes.changes.count
            }
        }
        if remaining < EventSendQueue.eventsPerTurn {
            // The events are sent now, before an observer writes its log.
            transport.sendBatch()
        }
    }

    /// Sends the due events of one connection after other connections have had their turn.
    private func deferDueEvents(to id: ConnectionID) {
        guard connections[id] != nil, eventSendQueue.enqueue(id) else { return }
        deferWork(.events, isSession: true)
    }

    /// Sends due events to the waiting connections, as many as one turn allows.
    func sendDeferredEvents(eventCount: Int = EventSendQueue.eventsPerTurn) {
        var remaining = eventCount
        while remaining > 0, let id = eventSendQueue.dequeue() {
            guard let connection = connections[id] else { continue }
            remaining -= max(1, connection.events.count)
            sendDueEvents(to: id)
        }
        transport.sendBatch()
        if !eventSendQueue.isEmpty {
            deferWork(.events, isSession: true)
        }
    }

    /// Sends the due events of one connection, and schedules its other events.
    ///
    /// Nothing is sent between a request and its response; events follow the response. Returns whether something was
    /// sent.
    @discardableResult
    func sendDueEvents(to id: ConnectionID) -> Bool {
        guard let connection = connections[id], let deadline = connection.events.deadline else { return false }
        guard !connection.channelHandler.isBusy, connection.channelHandler.isWritable else {
            connection.channelHandler.reportsWhenReady = true
            return false
        }
        let now = now
        guard deadline <= now else {
            scheduleEventTimer(of: connection, until: deadline, now: now)
            return false
        }
        let due = connection.events.dequeueDue(at: now, availableBytes: connection.channelHandler.availableBytes)
        guard !due.isEmpty else {
            // Unread messages of other controllers use up the shared memory. The event waits until some of it is free.
            scheduleEventTimer(of: connection, until: now.advanced(by: EventQueue.standardInterval), now: now)
            return false
        }
        // Characteristics that were removed in the meantime have no value to report.
        let events = database.eventsInDatabase(due)
        guard !events.isEmpty else { return sendDueEvents(to: id) }
        if connection.sendsEventsIndividually {
            for event in events {
                sendEvents([event], to: connection)
            }
        } else {
            sendEvents(events, to: connection)
        }
        if connection.events.deadline != nil {
            // Sends the events that did not fit into the message.
            sendDueEvents(to: id)
        }
        return true
    }

    /// Queues a change for a connection.
    func enqueueEvent(_ event: PendingEvent, isUrgent: Bool, for connection: ServerConnection) {
        connection.events.enqueue(event, isUrgent: isUrgent || connection.sendsEventsIndividually)
    }

    private func reportChanges(
        _ changes: ChangeSet,
        by origin: ChangeOrigin,
        concerned: [ConnectionID],
        to observer: any ServerObserver
    ) {
        for change in changes.changes where change.notifiesSubscribers {
            let type = database.characteristics[change.index].type
            observer.observe(
                .valueChanged(change.id, type, change.value, by: change.writtenValue == nil ? .device : origin)
            )
        }
        var ids: Set<CharacteristicID> = []
        // This is a loop, because a closure that captures the actor checks the executor at each call.
        for id in concerned where !eventSendQueue.contains(id) {
            guard let connection = connections[id], !connection.events.pending.isEmpty else { continue }
            if ids.isEmpty { ids = Set(changes.changes.lazy.map(\.id)) }
            for id in connection.events.pendingIDs(among: ids) {
                observer.observe(.eventCoalesced(connection.id, id))
            }
        }
    }

    private func scheduleEventTimer(
        of connection: ServerConnection,
        until deadline: MonotonicInstant,
        now: MonotonicInstant
    ) {
        guard connection.eventTimer == nil else { return }
        let id = connection.id
        connection.eventTimer = schedule(after: now.duration(to: deadline)) { server in
            server.connections[id]?.eventTimer = nil
            server.deferDueEvents(to: id)
        }
    }

    private func sendEvents(_ events: [PendingEvent], to connection: ServerConnection) {
        let body = database.eventBody(of: events)
        traffic?.observe(.event(body: body), on: connection.id, of: connection.session?.controller)
        var message: [UInt8] = []
        HTTPEvent(body: body).append(to: &message)
        observer?.observe(.eventSent(connection.id, count: events.count))
        if let itemObserver = ports.itemObserver {
            for event in events {
                itemObserver.observe(.characteristicNotified(connection.id, event.id, event.value))
            }
        }
        connection.sendEventMessage(message, about: events, by: self)
    }
}
