package import AsyncPrimitives
internal import HAPCore
internal import HAPServer
internal import HomeRuntime
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

    /// Opens it, empty, for what happens in servers.
    ///
    /// - Parameter isWanted: Whether a fact is stored; called on every event loop.
    package func open(on members: [SimulationMember] = [], for isWanted: @escaping @Sendable (ScenarioFact) -> Bool) {
        withBuffer { $0 = WantedFacts(where: isWanted) }
        for (place, member) in members.enumerated() {
            member.served.events.forward(to: self, ofServer: place)
        }
    }

    /// Closes it: what happens from now on is not stored.
    package func close(on members: [SimulationMember] = []) {
        for member in members {
            member.served.events.forward(to: self, nil)
        }
        withBuffer { $0 = WantedFacts() }
    }

    /// Whether facts were left out since it was opened.
    package var isOverfull: Bool {
        withBuffer { $0.isOverfull }
    }
}

extension ServerEventForwarder {
    /// Forwards what scenarios look at.
    ///
    /// - Parameter place: The server's place among the servers of the simulation, from 0.
    func forward(to mailbox: FactMailbox, ofServer place: Int) {
        forward(to: mailbox) { fact in
            switch fact {
            case .valueChanged(let id, _, let value, by: _):
                mailbox.send(.value(SimulationPlace(server: place, id), value))
            case .characteristicTold(_, let id, let value):
                mailbox.send(.event(SimulationPlace(server: place, id), value))
            case .characteristicUsed(_, .read, let id): mailbox.send(.controller(.reads, server: place, id))
            case .characteristicUsed(_, .write, let id): mailbox.send(.controller(.writes, server: place, id))
            case .characteristicUsed(_, .subscribe, let id): mailbox.send(.controller(.subscribes, server: place, id))
            case .sessionVerified: mailbox.send(.controller(.connects, server: place, nil))
            case .pairingAdded: mailbox.send(.controller(.pairs, server: place, nil))
            case .pairingRemoved: mailbox.send(.controller(.unpairs, server: place, nil))
            case .faultActed(let name, let what): mailbox.send(.fault(server: place, name, on: what))
            case .faultOver(let name): mailbox.send(.fault(server: place, name, on: nil))
            default: break
            }
        }
    }
}
