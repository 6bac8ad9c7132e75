package import AccessoryModel
package import HAPCore
package import HAPServer
package import Simulation
internal import Synchronization

/// A board of faults that a server asks: a lock around the values, and somebody who is told what they do.
///
/// Made before the server, as its interference. Whoever puts faults on the board goes through ``ServerFaults``, which tells
/// the server.
package final class FaultInjector: Interference {
    private let board: Mutex<FaultBoard>
    private let observer: (any ServerObserver)?

    /// Creates an injector without faults.
    ///
    /// - Parameters:
    ///   - seed: What is drawn at random is drawn from: the same seed draws the same.
    ///   - observer: Is told when faults act and when they are over: mostly the observer of the server itself.
    package init(seed: UInt64 = 0, observer: (any ServerObserver)? = nil) {
        board = Mutex(FaultBoard(seed: seed))
        self.observer = observer
    }

    /// The faults that are not over, in the order in which they were added.
    package var active: [ActiveFault] {
        board.withLock { $0.active }
    }

    package func interruption(at point: InterferencePoint, now: MonotonicInstant) -> Interruption {
        let (interruption, news) = board.withLock { $0.interruption(at: point, now: now) }
        tell(news)
        return interruption
    }

    package var conditions: ServerConditions {
        board.withLock { $0.conditions }
    }

    package var nextDeadline: MonotonicInstant? {
        board.withLock { $0.nextDeadline }
    }

    package func advance(to now: MonotonicInstant) {
        tell(board.withLock { $0.advance(to: now) })
    }

    /// Puts a fault on the board, on a ground that may have changed since the last.
    func add(_ fault: Fault, on ground: FaultGround, at now: MonotonicInstant) -> FaultID {
        let (id, news) = board.withLock { board in
            board.ground = ground
            return board.add(fault, at: now)
        }
        tell(news)
        return id
    }

    /// Lets the faults that stand on the board concern what there is now.
    func adopt(_ ground: FaultGround) {
        board.withLock { $0.ground = ground }
    }

    /// Takes faults off the board; returns how many.
    func clear(where matches: (ActiveFault) -> Bool) -> Int {
        let news = board.withLock { $0.clear(where: matches) }
        tell(news)
        return news.count
    }

    private func tell(_ news: [FaultNews]) {
        guard let observer else { return }
        for item in news {
            switch item {
            case .acts(let fault, let place): observer.observe(.faultActed(fault.name, on: place))
            case .isOver(let fault): observer.observe(.faultOver(fault.name))
            }
        }
    }
}
