internal import AsyncPrimitives
internal import Dispatch
internal import HAPCore
internal import Synchronization

/// Advertises one server through Avahi's `dns_sd` library.
///
/// It performs what an ``AdvertiserMachine`` decides, on the ``DiscoveryQueue`` it was given, whose watch tells it
/// whether the service is found. Once started it lives and advertises until ``stop()``.
package actor DNSSDAdvertiser: Advertiser {
    /// How long ``stop()`` waits for a goodbye: a bus that hangs answers after 25 seconds only.
    private static let stopLimit = Duration.seconds(2)

    private let queue: DiscoveryExecutor
    private let watch: ServiceWatch
    private var machine = AdvertiserMachine()
    private var reference: DNSSDReference<RegistrationReply>?
    private var source: (any DispatchSourceRead)?
    private var wakeUp: MonotonicInstant?
    private var watchID: ServiceID?
    private var onState: (@Sendable (AdvertiserState) -> Void)?
    private var reported = AdvertiserState.idle
    private var outcomeWaiters: [CheckedContinuation<AdvertiserState, Never>] = []
    private var endWaiters: [OneShot<Void>] = []

    /// Creates an advertiser that does nothing yet.
    ///
    /// All advertisers of a process share one queue.
    package init(on queue: DiscoveryQueue) {
        self.queue = queue.executor
        watch = queue.watch
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    package nonisolated func start(
        _ record: ServiceRecord,
        onState: @escaping @Sendable (AdvertiserState) -> Void
    ) {
        queue.run {
            self.assumeIsolated { advertiser in
                advertiser.onState = onState
                advertiser.joinWatch()
                advertiser.perform(advertiser.machine.start(record, at: advertiser.queue.now))
            }
        }
    }

    package nonisolated func update(_ record: ServiceRecord) {
        queue.run {
            self.assumeIsolated { advertiser in
                advertiser.perform(advertiser.machine.update(record))
            }
        }
    }

    package nonisolated func withdraw() {
        queue.run {
            self.assumeIsolated { advertiser in
                advertiser.perform(advertiser.machine.withdraw())
            }
        }
    }

    package func firstOutcome() async -> AdvertiserState {
        let state = machine.visibleState
        guard !state.isOutcome else { return state }
        return await withCheckedContinuation { outcomeWaiters.append($0) }
    }

    package nonisolated func stop() async {
        let end = OneShot<Void>()
        queue.run {
            self.assumeIsolated { advertiser in
                advertiser.endWaiters.append(end)
                advertiser.perform(advertiser.machine.stop())
                advertiser.tellEnd()
            }
        }
        // Elsewhere, since the queue itself may be what hangs.
        let limit = DispatchTime.now() + .nanoseconds(Int(Self.stopLimit.clampedNanoseconds))
        DispatchQueue.global().asyncAfter(deadline: limit) { end.set() }
        await end.wait()
    }
}

extension DNSSDAdvertiser {
    /// Performs an action and whatever follows from it, and tells every change of state, also before a call that blocks.
    private func perform(_ action: AdvertiserMachine.Action) {
        var next = action
        reportState()
        while next != .wait {
            next = result(of: next)
            reportState()
        }
        tellWatch()
        scheduleWakeUp()
    }

    /// Performs one action and tells the machine, which answers with the next one.
    private func result(of action: AdvertiserMachine.Action) -> AdvertiserMachine.Action {
        switch action {
        case .wait:
            return .wait
        case .register(let record):
            do {
                let reference = try DNSSDReference.register(record)
                self.reference = reference
                watch(reference)
                return .wait
            } catch {
                return machine.registrationFailed(error.discoveryError(bus: SystemBus.probe()), at: queue.now)
            }
        case .updateText(let text):
            do {
                try reference?.updateText(text)
                return .wait
            } catch {
                return machine.failed(error.discoveryError(bus: SystemBus.probe()))
            }
        case .withdraw:
            guard let source else { return release() }
            source.cancel()
            return .wait
        case .finish:
            tellEnd()
            return .wait
        }
    }

    private func tellEnd() {
        guard machine.visibleState == .stopped else { return }
        if let watchID {
            watch.assumeIsolated { $0.leave(watchID) }
        }
        watchID = nil
        for end in endWaiters {
            end.set()
        }
        endWaiters = []
    }

    /// Before the first registration, so that the connection to look over is there when the registrations reach the bus's
    /// limit.
    private func joinWatch() {
        guard watchID == nil, machine.visibleState == .idle else { return }
        watchID = watch.assumeIsolated { watch in
            watch.join { [weak self] sighting in
                self?.assumeIsolated { $0.handle(sighting) }
            }
        }
    }

    private func handle(_ sighting: Sighting) {
        switch sighting {
        case .daemonAnswers: perform(machine.daemonAnswers(at: queue.now))
        case .found: perform(machine.seen())
        case .missed(let error): perform(machine.missed(error, at: queue.now))
        }
    }

    private func tellWatch() {
        guard let watchID else { return }
        let (service, isDoubted) = (machine.published, machine.awaitsSighting)
        watch.assumeIsolated { $0.expect(service, as: watchID, isDoubted: isDoubted) }
    }

    private func watch(_ reference: DNSSDReference<RegistrationReply>) {
        let source = DispatchSource.makeReadSource(fileDescriptor: reference.fileDescriptor, queue: queue.queue)
        source.setEventHandler {
            self.assumeIsolated { $0.processReplies() }
        }
        // The descriptor must stay open until the source has let go of it.
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
                    perform(machine.failed(code.discoveryError(bus: SystemBus.probe())))
                }
            }
        } catch {
            perform(machine.failed(error.discoveryError(bus: SystemBus.probe())))
        }
    }

    private func reportState() {
        let state = machine.visibleState
        guard state != reported else { return }
        reported = state
        onState?(state)
        if state.isOutcome {
            for waiter in outcomeWaiters {
                waiter.resume(returning: state)
            }
            outcomeWaiters = []
        }
    }

    /// A wake-up that has been overtaken does no harm: the machine compares the time with its deadline.
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
    /// Whether this answers the question if advertising works.
    fileprivate var isOutcome: Bool {
        switch self {
        case .advertised, .unavailable, .stopped: true
        case .idle, .registering, .withdrawing: false
        }
    }
}
