internal import AccessoryModel
internal import HAPCore

extension AccessoryServer {
    /// Asks which fault is injected, and notifies the observer of one.
    func interfere(at point: InterferencePoint, by interference: any Interference) -> Interruption {
        let interruption = interference.interruption(at: point, now: behaviorTime)
        if interruption != .pass {
            observer?.observe(.interfered(point, interruption))
        }
        return interruption
    }

    /// Puts changes into the queues of the connections that the injected faults leave them for; returns these.
    ///
    /// - Parameter writer: The connection that has written them.
    func enqueue(
        _ changes: [ValueChange],
        besides writer: ConnectionID?,
        by interference: any Interference
    ) -> [ConnectionID] {
        var concerned: [ConnectionID] = []
        var known: Set<ConnectionID> = []
        func enqueue(_ change: ValueChange, for connection: ServerConnection) {
            connection.events.willEnqueue(at: now)
            let event = PendingEvent(id: change.id, value: change.value)
            self.enqueue(event, isUrgent: change.isButton, for: connection)
            if known.insert(connection.id).inserted { concerned.append(connection.id) }
        }
        for change in changes {
            for subscriber in database.subscriptions.subscribers(of: change.index) {
                let id = ConnectionID(subscriber.rawValue)
                guard let connection = connections[id] as? FaultyConnection else { continue }
                var isReceiver = id == writer ? change.concernsWriter : change.concernsEveryone
                if change.concernsEveryone {
                    isReceiver = connection.receives(change, as: isReceiver ? .subscriber : .writer, by: self)
                }
                if isReceiver {
                    enqueue(change, for: connection)
                } else if id == writer {
                    connection.events.drop(change.id)
                }
            }
            guard change.concernsEveryone else { continue }
            for case let connection as FaultyConnection in connections.all
            where connection.receivesUnsubscribed(change, by: self) {
                enqueue(change, for: connection)
            }
        }
        return concerned
    }
}
