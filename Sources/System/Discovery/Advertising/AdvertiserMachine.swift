package import HAPCore

/// Decides what an advertiser does next.
///
/// It performs no action itself.
///
/// At most one registration exists at a time. The current one is withdrawn, and ``withdrawn(at:)`` is called, before
/// the next one is made. The owner performs each action and reports the result.
package struct AdvertiserMachine: ~Copyable {
    /// The next action of the owner.
    package enum Action: Sendable, Hashable {
        /// Nothing, until the next event or deadline.
        case wait
        /// Register this service with the daemon; if that fails at once, report
        /// ``AdvertiserMachine/registrationFailed(_:at:)``.
        case register(ServiceRecord)
        /// Replace the text of the current registration; if that fails, report
        /// ``AdvertiserMachine/registrationLost(_:)``.
        case updateText(TXTRecord)
        /// Remove the current registration, and report ``AdvertiserMachine/withdrawn(at:)`` afterwards.
        case withdraw
        /// Resume the callers that wait for the end.
        case finish
    }

    private enum State {
        case idle
        case registering(AdvertisingPlan, sent: TXTRecord, outage: AdvertisingOutage?, deadline: MonotonicInstant)
        case advertised(AdvertisingPlan, sent: TXTRecord, name: String)
        /// The daemon has confirmed the service, but it was not found on the network. It is registered again at
        /// `until`; `nil` while the monitor looks for it again.
        case missing(
            AdvertisingPlan,
            sent: TXTRecord,
            name: String,
            outage: AdvertisingOutage,
            until: MonotonicInstant?
        )
        /// The old registration is being withdrawn; the next one follows at once.
        case replacing(AdvertisingPlan, outage: AdvertisingOutage?)
        /// The old registration is being withdrawn; the next one follows after a pause.
        case withdrawingToRetry(AdvertisingPlan, outage: AdvertisingOutage)
        case waitingToRetry(AdvertisingPlan, outage: AdvertisingOutage, until: MonotonicInstant)
        /// The registration is being withdrawn; the next one follows after an update.
        case withdrawing(AdvertisingPlan)
        case withdrawn(AdvertisingPlan)
        case stopping
        case stopped
    }

    /// The maximum time until the daemon confirms a service.
    ///
    /// Probing takes one second, and another second for every name that is in use on another host.
    package static let responseTimeout = Duration.seconds(30)

    private var state: State

    /// Creates a machine that does nothing yet.
    package init() {
        state = .idle
    }

    private init(_ state: State) {
        self.state = state
    }
}

extension AdvertiserMachine {
    /// The state as users see it.
    ///
    /// During an outage, the state stays unavailable while another attempt is made.
    package var visibleState: AdvertiserState {
        switch state {
        case .idle, .withdrawn: .idle
        case .registering(_, _, let outage, _), .replacing(_, let outage): outage?.visibleState ?? .registering
        case .advertised(let plan, _, let name): .advertised(name: name, requested: plan.record.name.text)
        case .missing(_, _, _, let outage, _), .withdrawingToRetry(_, let outage), .waitingToRetry(_, let outage, _):
            outage.visibleState
        case .withdrawing, .stopping: .withdrawing
        case .stopped: .stopped
        }
    }

    /// The time at which to call ``advance(to:)``, if any.
    package var nextDeadline: MonotonicInstant? {
        switch state {
        case .registering(_, _, _, let deadline): deadline
        case .missing(_, _, _, _, let until): until
        case .waitingToRetry(_, _, let until): until
        case .idle, .advertised, .replacing, .withdrawingToRetry, .withdrawing, .withdrawn, .stopping, .stopped: nil
        }
    }

    /// The service that should be visible on the network; `nil` before the daemon has confirmed one.
    package var published: PublishedService? {
        switch state {
        case .advertised(let plan, let sent, let name), .missing(let plan, let sent, let name, _, _):
            PublishedService(name: name, port: plan.record.port, text: sent)
        case .idle, .registering, .replacing, .withdrawingToRetry, .waitingToRetry, .withdrawing, .withdrawn, .stopping,
            .stopped:
            nil
        }
    }

    /// Whether ``serviceFound()`` has an effect.
    package var isAwaitingObservation: Bool {
        if case .missing = state { true } else { false }
    }

    /// Starts to advertise; after the first call, it does the same as ``update(_:)``.
    package mutating func start(_ record: ServiceRecord, at now: MonotonicInstant) -> Action {
        switch state {
        case .idle: register(AdvertisingPlan(record: record), outage: nil, at: now)
        case .registering, .advertised, .missing, .replacing, .withdrawingToRetry, .waitingToRetry, .withdrawing,
            .withdrawn, .stopping,
            .stopped:
            update(record)
        }
    }

    /// Replaces the advertised record.
    ///
    /// Has no effect before the start and after ``stop()``.
    package mutating func update(_ record: ServiceRecord) -> Action {
        switch state {
        case .registering(let plan, let sent, let outage, let deadline):
            guard plan.record.hasSameNameAndPort(as: record) else {
                self = Self(.replacing(plan.withRecord(record), outage: outage))
                return .withdraw
            }
            // An update before the daemon has confirmed the service would be lost, so the new text waits.
            self = Self(.registering(plan.withRecord(record), sent: sent, outage: outage, deadline: deadline))
            return .wait
        case .advertised(let plan, let sent, let name):
            guard plan.record.hasSameNameAndPort(as: record) else {
                self = Self(.replacing(plan.withRecord(record), outage: nil))
                return .withdraw
            }
            self = Self(.advertised(plan.withRecord(record), sent: record.text, name: name))
            return record.text == sent ? .wait : .updateText(record.text)
        case .missing(let plan, let sent, let name, let outage, let until):
            guard plan.record.hasSameNameAndPort(as: record) else {
                self = Self(.replacing(plan.withRecord(record), outage: outage))
                return .withdraw
            }
            self = Self(.missing(plan.withRecord(record), sent: record.text, name: name, outage: outage, until: until))
            return record.text == sent ? .wait : .updateText(record.text)
        case .replacing(let plan, let outage):
            self = Self(.replacing(plan.withRecord(record), outage: outage))
            return .wait
        case .withdrawingToRetry(let plan, let outage):
            self = Self(.withdrawingToRetry(plan.withRecord(record), outage: outage))
            return .wait
        case .waitingToRetry(let plan, let outage, let until):
            self = Self(.waitingToRetry(plan.withRecord(record), outage: outage, until: until))
            return .wait
        case .withdrawing(let plan):
            self = Self(.replacing(plan.withRecord(record), outage: nil))
            return .wait
        case .withdrawn(let plan):
            // There is nothing to withdraw; the owner reports that at once.
            self = Self(.replacing(plan.withRecord(record), outage: nil))
            return .withdraw
        case .idle, .stopping, .stopped:
            return .wait
        }
    }

    /// Withdraws the service until ``update(_:)`` is called.
    package mutating func withdraw() -> Action {
        switch state {
        case .registering(let plan, _, _, _), .advertised(let plan, _, _), .missing(let plan, _, _, _, _):
            self = Self(.withdrawing(plan))
            return .withdraw
        case .replacing(let plan, _), .withdrawingToRetry(let plan, _):
            self = Self(.withdrawing(plan))
            return .wait
        case .waitingToRetry(let plan, _, _):
            self = Self(.withdrawn(plan))
            return .wait
        case .idle, .withdrawing, .withdrawn, .stopping, .stopped:
            return .wait
        }
    }

    /// Handles that the daemon has confirmed the service under this name, for the first time or after a rename.
    package mutating func confirmed(name: String) -> Action {
        switch state {
        case .registering(let plan, let sent, let outage, _):
            let wanted = plan.record.text
            if let outage, outage.endsWhenFound {
                self = Self(
                    .missing(plan.withConfirmedName(name), sent: wanted, name: name, outage: outage, until: nil)
                )
            } else {
                self = Self(.advertised(plan.withConfirmedName(name), sent: wanted, name: name))
            }
            return wanted == sent ? .wait : .updateText(wanted)
        case .advertised(let plan, let sent, _):
            self = Self(.advertised(plan.withConfirmedName(name), sent: sent, name: name))
            return .wait
        case .missing(let plan, let sent, _, let outage, let until):
            self = Self(.missing(plan.withConfirmedName(name), sent: sent, name: name, outage: outage, until: until))
            return .wait
        case .idle, .replacing, .withdrawingToRetry, .waitingToRetry, .withdrawing, .withdrawn, .stopping, .stopped:
            return .wait
        }
    }

    /// Handles that the daemon refused a service at once, so there is nothing to withdraw.
    package mutating func registrationFailed(_ failure: DiscoveryError, at now: MonotonicInstant) -> Action {
        switch state {
        case .registering(let plan, _, let outage, _):
            if failure.code == .nameTaken, let next = plan.withNextName {
                return register(next, outage: outage, at: now)
            }
            return waitToRetry(plan.afterFailure(failure), AdvertisingOutage(failure, after: outage), at: now)
        case .idle, .advertised, .missing, .replacing, .withdrawingToRetry, .waitingToRetry, .withdrawing, .withdrawn,
            .stopping, .stopped:
            return .wait
        }
    }

    /// Handles the failure of the current registration: the daemon has ended, or has refused it.
    package mutating func registrationLost(_ failure: DiscoveryError) -> Action {
        switch state {
        case .registering(let plan, _, let outage, _):
            return withdrawAfterFailure(plan, failure, outage: outage)
        case .advertised(let plan, _, _):
            return withdrawAfterFailure(plan, failure, outage: nil)
        case .missing(let plan, _, _, let outage, _):
            return withdrawAfterFailure(plan, failure, outage: outage)
        case .idle, .replacing, .withdrawingToRetry, .waitingToRetry, .withdrawing, .withdrawn, .stopping, .stopped:
            return .wait
        }
    }

    /// Handles that the registration has been withdrawn.
    package mutating func withdrawn(at now: MonotonicInstant) -> Action {
        switch state {
        case .replacing(let plan, let outage):
            return register(plan, outage: outage, at: now)
        case .withdrawingToRetry(let plan, let outage):
            return waitToRetry(plan, outage, at: now)
        case .withdrawing(let plan):
            self = Self(.withdrawn(plan))
            return .wait
        case .stopping:
            self = Self(.stopped)
            return .finish
        case .idle, .registering, .advertised, .missing, .waitingToRetry, .withdrawn, .stopped:
            return .wait
        }
    }

    /// Handles that the monitor found the service as it was sent.
    package mutating func serviceFound() -> Action {
        if case .missing(let plan, let sent, let name, _, _) = state {
            self = Self(.advertised(plan, sent: sent, name: name))
        }
        return .wait
    }

    /// Handles that the monitor did not find the service, or found another text.
    ///
    /// The registration is kept for a pause, in which the daemon may correct itself. Then the service is registered
    /// again.
    package mutating func serviceMissing(_ failure: DiscoveryError, at now: MonotonicInstant) -> Action {
        switch state {
        case .advertised(let plan, let sent, let name):
            enterMissing(plan, sent, name, AdvertisingOutage(failure, after: nil), at: now)
        case .missing(let plan, let sent, let name, let outage, nil):
            enterMissing(plan, sent, name, AdvertisingOutage(failure, after: outage), at: now)
        case .idle, .registering, .missing, .replacing, .withdrawingToRetry, .waitingToRetry, .withdrawing, .withdrawn,
            .stopping, .stopped:
            break
        }
        return .wait
    }

    /// Handles that the daemon answers again: an attempt that waits for it starts at once.
    package mutating func daemonAvailable(at now: MonotonicInstant) -> Action {
        guard case .waitingToRetry(let plan, let outage, _) = state, outage.endsWithDaemon else { return .wait }
        return register(plan, outage: outage, at: now)
    }

    /// Handles that time has passed.
    package mutating func advance(to now: MonotonicInstant) -> Action {
        switch state {
        case .registering(let plan, _, let outage, let deadline) where deadline <= now:
            return withdrawAfterFailure(plan, .noResponse, outage: outage)
        case .missing(let plan, _, _, let outage, .some(let until)) where until <= now:
            self = Self(.replacing(plan, outage: outage))
            return .withdraw
        case .waitingToRetry(let plan, let outage, let until) where until <= now:
            return register(plan, outage: outage, at: now)
        case .idle, .registering, .advertised, .missing, .replacing, .withdrawingToRetry, .waitingToRetry, .withdrawing,
            .withdrawn, .stopping,
            .stopped:
            return .wait
        }
    }

    /// Ends advertising permanently.
    package mutating func stop() -> Action {
        switch state {
        case .idle, .waitingToRetry, .withdrawn, .stopped:
            self = Self(.stopped)
            return .finish
        case .registering, .advertised, .missing:
            self = Self(.stopping)
            return .withdraw
        case .replacing, .withdrawingToRetry, .withdrawing, .stopping:
            self = Self(.stopping)
            return .wait
        }
    }
}

extension AdvertiserMachine {
    private mutating func register(_ plan: AdvertisingPlan, outage: AdvertisingOutage?, at now: MonotonicInstant)
        -> Action
    {
        let deadline = now.advanced(by: Self.responseTimeout)
        self = Self(.registering(plan, sent: plan.record.text, outage: outage, deadline: deadline))
        return .register(plan.recordToRegister)
    }

    private mutating func waitToRetry(_ plan: AdvertisingPlan, _ outage: AdvertisingOutage, at now: MonotonicInstant)
        -> Action
    {
        self = Self(.waitingToRetry(plan, outage: outage, until: now.advanced(by: outage.delay)))
        return .wait
    }

    private mutating func enterMissing(
        _ plan: AdvertisingPlan,
        _ sent: TXTRecord,
        _ name: String,
        _ outage: AdvertisingOutage,
        at now: MonotonicInstant
    ) {
        let until = now.advanced(by: outage.delay)
        self = Self(.missing(plan, sent: sent, name: name, outage: outage, until: until))
    }

    private mutating func withdrawAfterFailure(
        _ plan: AdvertisingPlan,
        _ failure: DiscoveryError,
        outage: AdvertisingOutage?
    ) -> Action {
        if failure.code == .nameTaken, let next = plan.withNextName {
            self = Self(.replacing(next, outage: outage))
        } else {
            self = Self(
                .withdrawingToRetry(plan.afterFailure(failure), outage: AdvertisingOutage(failure, after: outage))
            )
        }
        return .withdraw
    }
}
