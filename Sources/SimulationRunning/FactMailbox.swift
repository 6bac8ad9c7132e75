internal import HomeRunning
package import Simulation
internal import Synchronization

/// What has happened in the servers of a simulation and was not taken yet, in its order.
///
/// Put in from every event loop, taken by one task. It is closed until somebody listens: nothing is kept for nobody.
package final class FactMailbox: Sendable {
    /// How many facts wait at most; beyond it the newest are left out.
    package static let capacity = 100_000

    private struct State {
        var facts: [ScenarioFact] = []
        var isWanted: (@Sendable (ScenarioFact) -> Bool)?
        var isOverfull = false
    }

    private let state = Mutex(State())
    private let bell = Doorbell()

    /// Creates a mailbox that is closed.
    package init() {}

    /// Opens it, empty.
    ///
    /// - Parameter isWanted: Whether a fact is kept; called on every event loop.
    package func open(for isWanted: @escaping @Sendable (ScenarioFact) -> Bool) {
        state.withLock { $0 = State(isWanted: isWanted) }
    }

    /// Closes it: what happens from now on is not kept.
    package func close() {
        state.withLock { $0 = State() }
    }

    /// Puts a fact in, if somebody wants it.
    package func put(_ fact: ScenarioFact) {
        let isKept = state.withLock { state in
            guard state.isWanted?(fact) ?? false else { return false }
            guard state.facts.count < Self.capacity else {
                state.isOverfull = true
                return true
            }
            state.facts.append(fact)
            return true
        }
        if isKept { bell.ring() }
    }

    /// Takes out everything, the oldest first.
    package func takeAll() -> [ScenarioFact] {
        state.withLock { state in
            defer { state.facts = [] }
            return state.facts
        }
    }

    /// Whether facts were left out since it was opened.
    package var isOverfull: Bool {
        state.withLock { $0.isOverfull }
    }

    /// Waits until something is there that was not when somebody waited last, or the task is cancelled.
    package func wait() async {
        await bell.wait()
    }
}
