package import AccessoryModel
package import HAPCore
package import HAPServer
package import Simulation
internal import Synchronization

/// The fault injection of a server.
///
/// It consists of a ``FaultRegistry`` that a lock protects, and an observer of its events.
///
/// It is created before the server and passed to it at the start. Faults are added through ``ServerFaults``, which
/// notifies the server.
package final class FaultInjector: FaultInjection {
    private let registry: Mutex<FaultRegistry>
    private let observer: (any ServerObserver)?
    /// Whether a fault was ever added, for the event loop, which reads it without the lock.
    ///
    /// It stays `true`, because messages that a fault has delayed wait after its end.
    private let hasFaults = Atomic(false)

    /// Creates an injector without faults.
    ///
    /// - Parameters:
    ///   - seed: The seed of the random numbers: the same seed gives the same numbers.
    ///   - observer: The observer that is notified when faults take effect and end, usually the observer of the server.
    package init(seed: UInt64 = 0, observer: (any ServerObserver)? = nil) {
        registry = Mutex(FaultRegistry(seed: seed))
        self.observer = observer
    }

    /// The active faults, in the order in which they were added.
    package var active: [ActiveFault] {
        registry.withLock { $0.active }
    }

    package func decision(at point: FaultInjectionPoint, now: MonotonicInstant) -> FaultDecision {
        let (decision, events) = withRegistry { $0.decision(at: point, now: now) }
        report(events)
        return decision
    }

    /// Returns the number of a fault of the driver of an accessory that acts now, which counts as one time.
    ///
    /// A fault without a number has 0; `nil` if none acts.
    func takes(driverFault name: String, of aid: AccessoryID, now: MonotonicInstant) -> Double? {
        guard isActive else { return nil }
        let (number, events) = withRegistry { $0.takes(driverFault: name, of: aid, now: now) }
        report(events)
        return number
    }

    package var isActive: Bool { hasFaults.load(ordering: .relaxed) }

    package var conditions: ServerConditions {
        registry.withLock { $0.conditions }
    }

    package var nextDeadline: MonotonicInstant? {
        registry.withLock { $0.nextDeadline }
    }

    package func advance(to now: MonotonicInstant) {
        report(withRegistry { $0.advance(to: now) })
    }

    /// Adds a fault, with the current context of the server.
    func add(_ fault: Fault, in context: FaultContext, at now: MonotonicInstant) -> FaultID {
        let (id, events) = withRegistry { registry in
            registry.context = context
            return registry.add(fault, at: now)
        }
        report(events)
        return id
    }

    /// Replaces the context, so that the active faults affect the current accessories.
    func setContext(_ context: FaultContext) {
        registry.withLock { $0.context = context }
    }

    /// Removes faults, and returns their number.
    func clear(where matches: (ActiveFault) -> Bool) -> Int {
        let events = withRegistry { $0.clear(where: matches) }
        report(events)
        return events.count
    }

    /// Changes the registry, and notes whether it has faults.
    private func withRegistry<Result: Sendable>(_ change: (inout FaultRegistry) -> Result) -> Result {
        registry.withLock { registry in
            defer { if !registry.active.isEmpty { hasFaults.store(true, ordering: .relaxed) } }
            return change(&registry)
        }
    }

    private func report(_ events: [FaultEvent]) {
        guard let observer else { return }
        for event in events {
            switch event {
            case .applied(let fault, let place): observer.observe(.faultApplied(fault.name, on: place))
            case .finished(let fault): observer.observe(.faultFinished(fault.name))
            }
        }
    }
}
