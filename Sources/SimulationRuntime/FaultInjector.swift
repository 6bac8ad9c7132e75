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
        let (decision, news) = registry.withLock { $0.decision(at: point, now: now) }
        report(news)
        return decision
    }

    package var conditions: ServerConditions {
        registry.withLock { $0.conditions }
    }

    package var nextDeadline: MonotonicInstant? {
        registry.withLock { $0.nextDeadline }
    }

    package func advance(to now: MonotonicInstant) {
        report(registry.withLock { $0.advance(to: now) })
    }

    /// Adds a fault, with the current context of the server.
    func add(_ fault: Fault, on ground: FaultContext, at now: MonotonicInstant) -> FaultID {
        let (id, news) = registry.withLock { board in
            board.context = ground
            return board.add(fault, at: now)
        }
        report(news)
        return id
    }

    /// Replaces the context, so that the active faults affect the current accessories.
    func setContext(_ ground: FaultContext) {
        registry.withLock { $0.context = ground }
    }

    /// Removes faults, and returns their number.
    func clear(where matches: (ActiveFault) -> Bool) -> Int {
        let news = registry.withLock { $0.clear(where: matches) }
        report(news)
        return news.count
    }

    private func report(_ news: [FaultEvent]) {
        guard let observer else { return }
        for item in news {
            switch item {
            case .applied(let fault, let place): observer.observe(.faultApplied(fault.name, on: place))
            case .finished(let fault): observer.observe(.faultFinished(fault.name))
            }
        }
    }
}
