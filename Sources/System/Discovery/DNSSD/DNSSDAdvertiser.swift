internal import AsyncPrimitives
internal import Dispatch
internal import HAPCore
internal import Synchronization

/// Advertises one server through Avahi's `dns_sd` library.
///
/// It performs the actions of an ``AdvertiserMachine`` on a ``DiscoveryQueue``, whose monitor reports whether the
/// service is found. Once started, it stays alive and advertises until ``stop()``.
package actor DNSSDAdvertiser: Advertiser {
    /// The maximum time that ``stop()`` waits for the goodbye, because a call blocks for 25 seconds if the bus hangs.
    private static let stopTimeout = Duration.seconds(2)

    private let queue: DiscoveryExecutor
    private let monitor: ServiceMonitor
    private var machine = AdvertiserMachine()
    private var reference: DNSSDReference<RegistrationReply>?
    private var source: (any DispatchSourceRead)?
    private var wakeUp: MonotonicInstant?
    private var monitorID: ServiceID?
    private var isAccessoryServer = true
    private var onState: (@Sendable (AdvertiserState) -> Void)?
    private var reportedState = AdvertiserState.idle
    private var outcomeWaiters: [CheckedContinuation<AdvertiserState, Never>] = []
    private var stopWaiters: [OneShot<Void>] = []

    /// Creates an advertiser that does nothing yet.
    ///
    /// All advertisers of a process share one queue.
    package init(on queue: DiscoveryQueue) {
        self.queue = queue.executor
        monitor = queue.monitor
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    /// Runs work on the queue, in the order of the calls.
    private nonisolated func run(_ work: @escaping @Sendable (isolated DNSSDAdvertiser) -> Void) {
        queue.run { self.assumeIsolated(work) }
    }

    package nonisolated func start(
        _ record: ServiceRecord,
        onState: @escaping @Sendable (AdvertiserState) -> Void
    ) {
        run { advertiser in
            advertiser.onState = onState
            advertiser.isAccessoryServer = record.type == ServiceRecord.accessoryServerType
            advertiser.joinMonitor()
            advertiser.perform(advertiser.machine.start(record, at: advertiser.queue.now))
        }
    }

    package nonisolated func update(_ record: ServiceRecord) {
        run { $0.perform($0.machine.update(record)) }
    }

    package nonisolated func withdraw() {
        run { $0.perform($0.machine.withdraw()) }
    }

    package func firstOutcome() async -> AdvertiserState {
        let state = machine.visibleState
        guard !state.isOutcome else { return state }
        return await withCheckedContinuation { outcomeWaiters.append($0) }
    }

    package nonisolated func stop() async {
        let end = OneShot<Void>()
        run { advertiser in
            advertiser.stopWaiters.append(end)
            advertiser.perform(advertiser.machine.stop())
            advertiser.resumeStopWaiters()
        }
        // The timer runs on another queue, because this one may be the one that hangs.
        let limit = DispatchTime.now() + .nanoseconds(Int(Self.stopTimeout.clampedNanoseconds))
        DispatchQueue.global().asyncAfter(deadline: limit) { end.set() }
        await end.wait()
    }
}

extension DNSSDAdvertiser {
    /// Performs an action and the actions that follow from it.
    ///
    /// Reports every change of state, also before a call that may block.
    private func perform(_ action: AdvertiserMachine.Action) {
        var next = action
        reportState()
        while next != .wait {
            next = execute(of: next)
            reportState()
        }
        updateMonitor()
        scheduleWakeUp()
    }

    /// Performs one action, and returns the machine's next one.
    private func execute(of action: AdvertiserMachine.Action) -> AdvertiserMachine.Action {
        switch action {
        case .wait:
            return .wait
        case .register(let record):
            do {
                let reference = try DNSSDReference.register(record)
                self.reference = reference
                startReading(reference)
                return .wait
            } catch {
                return machine.registrationFailed(error.discoveryError(bus: SystemBus.probe()), at: queue.now)
            }
        case .updateText(let text):
            do {
                try reference?.updateText(text)
                return .wait
            } catch {
                return machine.registrationLost(error.discoveryError(bus: SystemBus.probe()))
            }
        case .withdraw:
            guard let source else { return release() }
            source.cancel()
            return .wait
        case .finish:
            resumeStopWaiters()
            return .wait
        }
    }

    private func resumeStopWaiters() {
        guard machine.visibleState == .stopped else { return }
        if let monitorID {
            monitor.assumeIsolated { $0.removeWatcher(monitorID) }
        }
        monitorID = nil
        for end in stopWaiters {
            end.set()
        }
        stopWaiters = []
    }

    /// Adds the advertiser to the monitor.
    ///
    /// This happens before the first registration, so that the monitor has its connection before registrations use up
    /// the limit of the bus.
    private func joinMonitor() {
        guard monitorID == nil, machine.visibleState == .idle else { return }
        monitorID = monitor.assumeIsolated { watch in
            watch.addWatcher { [weak self] sighting in
                self?.assumeIsolated { $0.handle(sighting) }
            }
        }
    }

    private func handle(_ sighting: ServiceObservation) {
        switch sighting {
        case .daemonAvailable: perform(machine.daemonAvailable(at: queue.now))
        case .found: perform(machine.serviceFound())
        case .missing(let error): perform(machine.serviceMissing(error, at: queue.now))
        }
    }

    /// Tells the monitor what should be found; it looks only for accessory servers.
    private func updateMonitor() {
        guard let monitorID, isAccessoryServer else { return }
        let (service, isDoubted) = (machine.published, machine.isAwaitingObservation)
        monitor.assumeIsolated { $0.expect(service, as: monitorID, isMissing: isDoubted) }
    }

    private func startReading(_ reference: DNSSDReference<RegistrationReply>) {
        let source = DispatchSource.makeReadSource(fileDescriptor: reference.fileDescriptor, queue: queue.queue)
        source.setEventHandler {
            self.assumeIsolated { $0.processReplies() }
        }
        // The descriptor must stay open until the source has released it.
        source.setCancelHandler {
            self.assumeIsolated { $0.perform($0.release()) }
        }
        self.source = source
        source.resume()
    }

    private func release() -> AdvertiserMachine.Action {
        source = nil
        reference = nil
        return machine.withdrawn(at: queue.now)
    }

    private func processReplies() {
        guard let reference, let source, !source.isCancelled else { return }
        do {
            for reply in try reference.process() {
                switch reply {
                case .confirmed(let name):
                    perform(machine.confirmed(name: name))
                case .failed(let code):
                    perform(machine.registrationLost(code.discoveryError(bus: SystemBus.probe())))
                }
            }
        } catch {
            perform(machine.registrationLost(error.discoveryError(bus: SystemBus.probe())))
        }
    }

    private func reportState() {
        let state = machine.visibleState
        guard state != reportedState else { return }
        reportedState = state
        onState?(state)
        if state.isOutcome {
            for waiter in outcomeWaiters {
                waiter.resume(returning: state)
            }
            outcomeWaiters = []
        }
    }

    /// A wake-up that is no longer needed does no harm, because the machine compares the time with its deadline.
    private func scheduleWakeUp() {
        guard let deadline = machine.nextDeadline, deadline != wakeUp else { return }
        wakeUp = deadline
        queue.run(at: deadline) { [weak self] in
            self?
                .assumeIsolated { advertiser in
                    advertiser.perform(advertiser.machine.advance(to: advertiser.queue.now))
                }
        }
    }
}

extension AdvertiserState {
    /// Whether it is known in this state whether advertising works.
    fileprivate var isOutcome: Bool {
        switch self {
        case .advertised, .unavailable, .stopped: true
        case .idle, .registering, .withdrawing: false
        }
    }
}
