internal import AsyncPrimitives
package import HAPCore

/// Finds the accessories on this network through the Avahi daemon.
///
/// Create one and share it: all readers share one connection, which is open while there is a reader. If the daemon or
/// the bus ends, readers are notified. The browser tries again after 1, 2 and 4 s, then every 5 s. When the daemon is
/// back, it reports the differences.
///
/// ```swift
/// for await update in AccessoryBrowser().updates() {
///     if case .appeared(let accessory) = update { print(accessory.name) }
/// }
/// ```
public actor AccessoryBrowser {
    private let executor = DiscoveryExecutor()
    private let type: String
    private var machine = MonitorMachine()
    private var resolver = AccessoryResolver()
    private var connection: AvahiConnection?
    /// The number of the connection; events of earlier ones are ignored.
    private var connectionNumber = 0
    private var listeners: [WeakListener] = []
    private var wakeUp: MonotonicInstant?

    private struct WeakListener {
        weak var listener: UpdateListener?
    }

    /// Creates a browser, which does nothing until there is a reader.
    ///
    /// Call this before the process has other threads that read the environment.
    public init() { type = ServiceRecord.accessoryServerType }

    /// Creates a browser for services of another type, such as `_googlecast._tcp`.
    package init(type: String) { self.type = type }

    /// The executor of the actor.
    ///
    /// It has a queue of its own, because Avahi's calls block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Returns the current accessories and then changes, until the reader's task is canceled or the stream is
    /// released.
    ///
    /// Known accessories are reported first. For a slow reader, the waiting updates of an accessory are combined into
    /// one. The stream is for one reader.
    public nonisolated func updates() -> AsyncStream<DiscoveryUpdate> {
        updates(of: nil)
    }

    /// Returns the updates about one accessory, identified by its device ID, and about the availability of the daemon.
    ///
    /// A slow reader gets only the latest update. `nil` returns all updates, like ``updates()``.
    package nonisolated func updates(of deviceID: DeviceID?) -> AsyncStream<DiscoveryUpdate> {
        // The reader keeps the browser alive, not the other way around.
        let listener = UpdateListener(of: deviceID) {
            self.executor.run {
                self.assumeIsolated { $0.removeReleasedListeners() }
            }
        }
        executor.run { [weak listener] in
            guard let listener else { return }
            self.assumeIsolated { $0.addListener(listener) }
        }
        return AsyncStream { await listener.updates.next() }
    }

    private func addListener(_ listener: UpdateListener) {
        for update in resolver.snapshot {
            listener.updates.send(update)
        }
        listeners.append(WeakListener(listener: listener))
        perform(machine.start())
    }

    private func removeReleasedListeners() {
        listeners.removeAll { $0.listener == nil }
        guard listeners.isEmpty else { return }
        perform(machine.stop())
        resolver = AccessoryResolver()
    }
}

extension AccessoryBrowser {
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
                return handleConnectionError(error)
            }
            perform(resolver.browseBegan())
            return .wait
        case .close:
            connection = nil
            return .wait
        }
    }

    private func open() -> MonitorMachine.Action {
        connectionNumber += 1
        let number = connectionNumber
        do {
            connection = try AvahiConnection(type) { [executor, weak self] event in
                executor.run { [weak self] in
                    self?.assumeIsolated { $0.handle(event, from: number) }
                }
            }
            return .wait
        } catch {
            perform(resolver.browseFailed(error.discoveryError(bus: SystemBus.probe()).forBrowsing))
            return machine.openFailed(at: executor.now)
        }
    }

    private func handleConnectionError(_ code: AvahiCode) -> MonitorMachine.Action {
        perform(resolver.browseFailed(code.discoveryError(bus: SystemBus.probe()).forBrowsing))
        return machine.connectionLost(at: executor.now)
    }

    private func handle(_ event: AvahiConnection.Event, from number: Int) {
        guard number == connectionNumber, connection != nil else { return }
        let now = executor.now
        switch event {
        case .daemonAvailable: perform(machine.daemonAvailable())
        case .daemonUnavailable: perform(resolver.browseFailed(DiscoveryError.noDaemon.forBrowsing))
        case .connectionLost: perform(handleConnectionError(.noDaemon))
        case .appeared(let service): perform(resolver.appeared(service, at: now))
        case .disappeared(let service): perform(resolver.disappeared(service, at: now))
        case .allForNow: perform(resolver.allForNow(at: now))
        case .lookedUp(let service, let found): perform(resolver.lookedUp(service, found, at: now))
        case .lookupFailed(let service): perform(resolver.lookupFailed(service, at: now))
        case .hostResolved: break
        }
    }

    private func perform(_ actions: [AccessoryResolver.Action]) {
        for action in actions {
            switch action {
            case .publish(let update):
                for listener in listeners {
                    listener.listener?.updates.send(update)
                }
            case .lookUp(let service):
                do {
                    try connection?.lookUp(service)
                } catch {
                    // For example, the daemon does not accept the name. The failure is handled later, so that answers
                    // of the daemon that are already queued come first.
                    executor.run { [weak self, connectionNumber] in
                        self?.assumeIsolated { $0.handle(.lookupFailed(service), from: connectionNumber) }
                    }
                }
            case .endLookup(let service):
                connection?.endLookup(service)
            }
        }
        scheduleWakeUp()
    }

    /// A wake-up that is no longer needed does no harm, because the machines compare the time with their deadlines.
    private func scheduleWakeUp() {
        let deadlines = [machine.nextDeadline, resolver.nextDeadline].compactMap { $0 }
        guard let deadline = deadlines.min(), deadline != wakeUp else { return }
        wakeUp = deadline
        executor.run(at: deadline) { [weak self] in
            self?
                .assumeIsolated { browser in
                    browser.wakeUp = nil
                    browser.perform(browser.machine.advance(to: browser.executor.now))
                    browser.perform(browser.resolver.advance(to: browser.executor.now))
                }
        }
    }
}

/// A reader of a browser's updates, which may be slow.
final class UpdateListener: Sendable {
    /// The updates that the reader has not read yet.
    let updates: Mailbox<PendingUpdates>
    /// Called when the reader is released.
    private let onDeinit: @Sendable () -> Void

    /// Creates a reader of all updates, or only of those about one accessory and the availability of the daemon.
    init(of deviceID: DeviceID? = nil, onDeinit: @escaping @Sendable () -> Void) {
        updates = Mailbox(PendingUpdates(of: deviceID))
        self.onDeinit = onDeinit
    }

    deinit {
        onDeinit()
    }
}
