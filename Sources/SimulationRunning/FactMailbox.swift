internal import HomeRunning
package import Simulation
internal import Synchronization

/// What has happened in the servers of a simulation and was not taken yet, in its order.
///
/// Put in from every event loop, taken by one task.
package final class FactMailbox: Sendable {
    /// How many facts wait at most; beyond it the newest are left out.
    private static let capacity = 100_000

    private let facts = Mutex<[ScenarioFact]>([])
    private let bell = Doorbell()

    /// Creates an empty mailbox.
    package init() {}

    /// Puts a fact in.
    package func put(_ fact: ScenarioFact) {
        facts.withLock { facts in
            if facts.count < Self.capacity { facts.append(fact) }
        }
        bell.ring()
    }

    /// Takes out everything, the oldest first.
    package func takeAll() -> [ScenarioFact] {
        facts.withLock { facts in
            defer { facts = [] }
            return facts
        }
    }

    /// Waits until something is there that was not when somebody waited last, or the task is cancelled.
    package func wait() async {
        await bell.wait()
    }
}
