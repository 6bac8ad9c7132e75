internal import HAPCore

/// Watches the services of a process over one connection, and reports to their advertisers.
///
/// It performs the actions of a ``MonitorMachine`` and a ``RegistrationCheck``, on the queue that it shares with the
/// advertisers.
actor ServiceMonitor {
    private let executor: DiscoveryExecutor
    private var machine = MonitorMachine()
    private var check = RegistrationCheck()
    private var connection: AvahiConnection?
    /// The number of the connection; events of earlier ones are ignored.
    private var connectionNumber = 0
    private var watchers: [ServiceID: @Sendable (ServiceObservation) -> Void] = [:]
    private var lastID: UInt64 = 0
    private var wakeUp: MonotonicInstant?

    init(on executor: DiscoveryExecutor) {
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Adds an advertiser, which is notified on the queue.
    func addWatcher(_ report: @escaping @Sendable (ServiceObservation) -> Void) -> ServiceID {
        lastID += 1
        let id = ServiceID(lastID)
        watchers[id] = report
        perform(machine.start())
        return id
    }

    /// Sets the service of an advertiser; `nil` for none.
    func expect(_ service: PublishedService?, as id: ServiceID, isMissing: Bool) {
        perform(check.expect(service, as: id, isMissing: isMissing, at: executor.now))
    }

    /// Removes an advertiser.
    func removeWatcher(_ id: ServiceID) {
        watchers[id] = nil
        perform(check.expect(nil, as: id, at: executor.now))
        if watchers.isEmpty {
            perform(machine.stop())
        }
    }
}

extension ServiceMonitor {
    private func perform(_ action: MonitorMachine.Action) {
        var next = action
        while next != .wait {
            next = execute(of: next)
        }
        scheduleWakeUp()
    }

    private func execute(of action: MonitorMachine.Action) -> MonitorMachine.Action {
        switch action {
        case .wait:
            return .wait
        case .open:
            return open()
        case .browse:
            do {
                try connection?.browse()
            } catch {
                return machine.connectionLost(at: executor.now)
            }
            check.browseBegan(at: executor.now)
            for report in watchers.values {
                report(.daemonAvailable)
            }
            return .wait
        case .close:
            check.browseEnded()
            connection = nil
            return .wait
        }
    }

    private func open() -> MonitorMachine.Action {
        connectionNumber += 1
        let number = connectionNumber
        do {
            connection = try AvahiConnection { [executor, weak self] event in
                executor.run { [weak self] in
                    self?.assumeIsolated { $0.handle(event, from: number) }
                }
            }
            return .wait
        } catch {
            let next = machine.openFailed(at: executor.now)
            // If the bus or the daemon has no room for the connection, the services may still be on the network.
            if !error.isLimit {
                reportBrowseFailure()
            }
            return next
        }
    }

    private func handle(_ event: AvahiConnection.Event, from number: Int) {
        guard number == connectionNumber, connection != nil else { return }
        switch event {
        case .daemonAvailable: perform(machine.daemonAvailable())
        case .connectionLost: perform(machine.connectionLost(at: executor.now))
        case .appeared(let service): perform(check.appeared(service.name, at: executor.now))
        case .disappeared(let service): perform(check.disappeared(service.name, at: executor.now))
        case .lookedUp(_, let service): perform(check.lookedUp(PublishedService(service), at: executor.now))
        // A lookup that fails is ended by its timeout.
        case .allForNow, .lookupFailed, .daemonUnavailable, .hostResolved: break
        }
    }

    private func perform(_ actions: [RegistrationCheck.Action]) {
        for action in actions {
            switch action {
            case .report(let id, let sighting):
                watchers[id]?(sighting)
            case .lookUp(let name):
                do {
                    connection?.endLookups()
                    try connection?.lookUp(name: name)
                } catch {
                    perform(machine.connectionLost(at: executor.now))
                    reportBrowseFailure()
                }
            case .endLookup:
                connection?.endLookups()
            }
        }
        scheduleWakeUp()
    }

    private func reportBrowseFailure() {
        let error = SystemBus.probe().discoveryError
        guard error.code != .limit else { return }
        perform(check.browseFailed(error))
    }

    /// A wake-up that is no longer needed does no harm, because the machines compare the time with their deadlines.
    private func scheduleWakeUp() {
        let deadlines = [machine.nextDeadline, check.nextDeadline].compactMap { $0 }
        guard let deadline = deadlines.min(), deadline != wakeUp else { return }
        wakeUp = deadline
        executor.run(at: deadline) { [weak self] in
            self?
                .assumeIsolated { watch in
                    watch.wakeUp = nil
                    watch.perform(watch.machine.advance(to: watch.executor.now))
                    watch.perform(watch.check.advance(to: watch.executor.now))
                }
        }
    }
}

/// One of the services that a process watches.
package struct ServiceID: Sendable, Hashable {
    /// The number, which is counted from 1 and never reused.
    package let number: UInt64

    /// Creates one.
    package init(_ number: UInt64) {
        self.number = number
    }
}

/// A report about a service to its advertiser.
package enum ServiceObservation: Sendable, Hashable {
    /// The daemon answers, after an outage or for the first time.
    case daemonAvailable
    /// The service was found as it was sent.
    case found
    /// The service was not found, or differs from what was sent, for this reason.
    case missing(DiscoveryError)
}
