package import AsyncPrimitives
package import Simulation

/// What happened in the servers of a simulation and was not taken yet: sent from every event loop, read by one task.
package typealias FactMailbox = Mailbox<WantedFacts>

/// The facts that a reader wants, in their order; none before one opens the mailbox.
package struct WantedFacts: MailboxBuffer {
    /// How many facts wait at most; beyond it the newest are left out.
    package static let capacity = 100_000

    private var facts: [ScenarioFact] = []
    private let isWanted: (@Sendable (ScenarioFact) -> Bool)?
    /// Whether facts were left out since the mailbox was opened.
    package private(set) var isOverfull = false

    /// Creates a buffer in which nothing waits.
    ///
    /// - Parameter isWanted: Whether a fact is stored; `nil` for none. Called on every event loop.
    package init(where isWanted: (@Sendable (ScenarioFact) -> Bool)? = nil) {
        self.isWanted = isWanted
    }

    package mutating func receive(_ fact: ScenarioFact) -> Bool {
        guard isWanted?(fact) ?? false else { return false }
        if facts.count < Self.capacity {
            facts.append(fact)
        } else {
            isOverfull = true
        }
        return true
    }

    /// Takes out everything, the oldest first.
    package mutating func take() -> [ScenarioFact]? {
        guard !facts.isEmpty else { return nil }
        defer { facts = [] }
        return facts
    }
}

extension FactMailbox {
    /// Creates a mailbox that is closed.
    package convenience init() {
        self.init(WantedFacts())
    }

    /// Opens it, empty.
    ///
    /// - Parameter isWanted: Whether a fact is stored; called on every event loop.
    package func open(for isWanted: @escaping @Sendable (ScenarioFact) -> Bool) {
        withBuffer { $0 = WantedFacts(where: isWanted) }
    }

    /// Closes it: what happens from now on is not stored.
    package func close() {
        withBuffer { $0 = WantedFacts() }
    }

    /// Whether facts were left out since it was opened.
    package var isOverfull: Bool {
        withBuffer { $0.isOverfull }
    }
}
