internal import AccessoryModel
internal import HAPCore

extension AccessoryServer {
    /// Whether faults may be injected.
    ///
    /// If not, `FaultInjection` is not consulted.
    var injectsFaults: Bool {
        ports.faultInjection?.isActive ?? false
    }

    /// Asks the fault injection for its decision, and notifies the observer if a fault is injected.
    func injectFault(at point: FaultInjectionPoint) -> FaultDecision {
        guard let faultInjection = ports.faultInjection else { return .proceed }
        let decision = faultInjection.decision(at: point, now: behaviorTime)
        if decision != .proceed {
            observer?.observe(.faultInjected(point, decision))
        }
        return decision
    }

    /// Queues changes for the connections that receive them when faults are injected, and returns these connections.
    ///
    /// - Parameter writer: The connection that wrote the changes.
    func enqueueFaultyEvents(for changes: [ValueChange], except writer: ConnectionID?) -> [ConnectionID] {
        var concerned: [ConnectionID] = []
        var known: Set<ConnectionID> = []
        func enqueue(_ change: ValueChange, for connection: ServerConnection) {
            connection.events.startBatchIfNeeded(at: now)
            let event = PendingEvent(id: change.id, value: change.value)
            self.enqueueEvent(event, isUrgent: change.isButton, for: connection)
            if known.insert(connection.id).inserted { concerned.append(connection.id) }
        }
        for change in changes {
            for subscriber in database.subscriptions.subscribers(of: change.index) {
                let id = ConnectionID(subscriber.rawValue)
                guard let connection = connections[id] as? FaultyConnection else { continue }
                var isReceiver = id == writer ? change.notifiesWriter : change.notifiesSubscribers
                if change.notifiesSubscribers {
                    isReceiver = connection.decideDelivery(of: change, as: isReceiver ? .subscriber : .writer, by: self)
                }
                if isReceiver {
                    enqueue(change, for: connection)
                } else if id == writer {
                    connection.events.drop(change.id)
                }
            }
            guard change.notifiesSubscribers else { continue }
            for case let connection as FaultyConnection in connections.all
            where connection.decideUnsubscribedDelivery(of: change, by: self) {
                enqueue(change, for: connection)
            }
        }
        return concerned
    }
}
