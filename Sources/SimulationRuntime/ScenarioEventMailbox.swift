package import AsyncPrimitives
internal import HAPCore
internal import HAPServer
internal import HomeRuntime
package import Simulation

/// What happened in the servers of a simulation and was not taken yet: sent from every event loop, read by one task.
package typealias ScenarioEventMailbox = Mailbox<SelectedEvents>

/// The facts that a reader wants, in their order; none before one opens the mailbox.
package struct SelectedEvents: MailboxBuffer {
    /// How many facts wait at most; beyond it the newest are left out.
    package static let capacity = 100_000

    private var events: [ScenarioEvent] = []
    private let isSelected: (@Sendable (ScenarioEvent) -> Bool)?
    /// Whether facts were left out since the mailbox was opened.
    package private(set) var hasOverflowed = false

    /// Creates a buffer in which nothing waits.
    ///
    /// - Parameter isWanted: Whether a fact is stored; `nil` for none. Called on every event loop.
    package init(where isWanted: (@Sendable (ScenarioEvent) -> Bool)? = nil) {
        self.isSelected = isWanted
    }

    package mutating func enqueue(_ event: ScenarioEvent) -> Bool {
        guard isSelected?(event) ?? false else { return false }
        if events.count < Self.capacity {
            events.append(event)
        } else {
            hasOverflowed = true
        }
        return true
    }

    /// Takes out everything, the oldest first.
    package mutating func dequeue() -> [ScenarioEvent]? {
        guard !events.isEmpty else { return nil }
        defer { events = [] }
        return events
    }
}

extension ScenarioEventMailbox {
    /// Creates a mailbox that is closed.
    package convenience init() {
        self.init(SelectedEvents())
    }

    /// Opens it, empty, for what happens in servers.
    ///
    /// - Parameter isWanted: Whether a fact is stored; called on every event loop.
    package func open(on members: [SimulationServer] = [], for isWanted: @escaping @Sendable (ScenarioEvent) -> Bool) {
        withBuffer { $0 = SelectedEvents(where: isWanted) }
        for (place, member) in members.enumerated() {
            member.served.events.forward(to: self, ofServer: place)
        }
    }

    /// Closes it: what happens from now on is not stored.
    package func close(on members: [SimulationServer] = []) {
        for member in members {
            member.served.events.setHandler(for: self, nil)
        }
        withBuffer { $0 = SelectedEvents() }
    }

    /// Whether facts were left out since it was opened.
    package var hasOverflowed: Bool {
        withBuffer { $0.hasOverflowed }
    }
}

extension ServerEventForwarder {
    /// Forwards what scenarios look at.
    ///
    /// - Parameter place: The server's place among the servers of the simulation, from 0.
    func forward(to mailbox: ScenarioEventMailbox, ofServer place: Int) {
        setHandler(for: mailbox) { event in
            switch event {
            case .valueChanged(let id, _, let value, by: _):
                mailbox.send(.value(ServerCharacteristicID(server: place, id), value))
            case .characteristicNotified(_, let id, let value):
                mailbox.send(.notification(ServerCharacteristicID(server: place, id), value))
            case .characteristicUsed(_, .read, let id): mailbox.send(.controller(.reads, server: place, id))
            case .characteristicUsed(_, .write, let id): mailbox.send(.controller(.writes, server: place, id))
            case .characteristicUsed(_, .subscribe, let id): mailbox.send(.controller(.subscribes, server: place, id))
            case .sessionVerified: mailbox.send(.controller(.connects, server: place, nil))
            case .pairingAdded: mailbox.send(.controller(.pairs, server: place, nil))
            case .pairingRemoved: mailbox.send(.controller(.unpairs, server: place, nil))
            case .faultApplied(let name, let what): mailbox.send(.fault(server: place, name, on: what))
            case .faultFinished(let name): mailbox.send(.fault(server: place, name, on: nil))
            default: break
            }
        }
    }
}
