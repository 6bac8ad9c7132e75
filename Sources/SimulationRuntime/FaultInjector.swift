package import AccessoryModel
package import HAPCore
package import HAPServer
package import Simulation
internal import Synchronization

/// A board of faults that a server asks: a lock around the values, and somebody who is told what they do.
///
/// Made before the server, as its interference. Whoever puts faults on the board goes through ``ServerFaults``, which tells
/// the server.
package final class FaultInjector: FaultInjection {
    private let registry: Mutex<FaultRegistry>
    private let observer: (any ServerObserver)?

    /// Creates an injector without faults.
    ///
    /// - Parameters:
    ///   - seed: What is drawn at random is drawn from: the same seed draws the same.
    ///   - observer: Is told when faults act and when they are over: mostly the observer of the server itself.
    package init(seed: UInt64 = 0, observer: (any ServerObserver)? = nil) {
        registry = Mutex(FaultRegistry(seed: seed))
        self.observer = observer
    }

    /// The faults that are not over, in the order in which they were added.
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

    /// Puts a fault on the board, on a ground that may have changed since the last.
    func add(_ fault: Fault, on ground: FaultContext, at now: MonotonicInstant) -> FaultID {
        let (id, news) = registry.withLock { board in
            board.context = ground
            return board.add(fault, at: now)
        }
        report(news)
        return id
    }

    /// Lets the faults that stand on the board concern what there is now.
    func setContext(_ ground: FaultContext) {
        registry.withLock { $0.context = ground }
    }

    /// Takes faults off the board; returns how many.
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
