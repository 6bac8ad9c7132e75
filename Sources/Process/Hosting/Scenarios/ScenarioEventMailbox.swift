package import AsyncPrimitives
internal import HAPCore
internal import HAPServer
internal import HomeRuntime
package import Simulation

/// A mailbox for events of a simulation's servers.
///
/// Any event loop can send to it, and a single task reads it.
package typealias ScenarioEventMailbox = Mailbox<SelectedEvents>

/// The events that a reader has selected, in order.
///
/// Nothing is stored until the mailbox is opened.
package struct SelectedEvents: MailboxBuffer {
    /// The largest number of queued events; beyond it, new events are dropped.
    package static let capacity = 100_000

    private var events: [ScenarioEvent] = []
    private let isSelected: (@Sendable (ScenarioEvent) -> Bool)?
    /// Whether events were dropped since the mailbox was opened.
    package private(set) var hasOverflowed = false

    /// Creates an empty buffer.
    ///
    /// - Parameter isWanted: Returns whether an event is stored; `nil` to store none. It is called on every event loop.
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

    /// Removes and returns all events, the oldest first.
    package mutating func dequeue() -> [ScenarioEvent]? {
        guard !events.isEmpty else { return nil }
        defer { events = [] }
        return events
    }
}

extension ScenarioEventMailbox {
    /// Creates a closed mailbox.
    package convenience init() {
        self.init(SelectedEvents())
    }

    /// Empties the mailbox, and opens it for events of servers.
    ///
    /// - Parameter isWanted: Returns whether an event is stored. It is called on every event loop.
    package func open(on servers: [HostedServer] = [], for isWanted: @escaping @Sendable (ScenarioEvent) -> Bool) {
        withBuffer { $0 = SelectedEvents(where: isWanted) }
        for server in servers {
            server.events.forward(to: self, ofServer: server.id)
        }
    }

    /// Closes the mailbox, so that later events are not stored.
    package func close(on servers: [HostedServer] = []) {
        for server in servers {
            server.events.setHandler(for: self, nil)
        }
        withBuffer { $0 = SelectedEvents() }
    }

    /// Whether events were dropped since the mailbox was opened.
    package var hasOverflowed: Bool {
        withBuffer { $0.hasOverflowed }
    }
}

extension ServerEventForwarder {
    /// Forwards the events that scenarios can observe.
    ///
    /// - Parameter id: The number of the server.
    func forward(to mailbox: ScenarioEventMailbox, ofServer id: Int) {
        setHandler(for: mailbox) { event in
            switch event {
            case .valueChanged(let item, _, let value, by: _):
                mailbox.send(.value(ServerCharacteristicID(server: id, item), value))
            case .characteristicNotified(_, let item, let value):
                mailbox.send(.notification(ServerCharacteristicID(server: id, item), value))
            case .characteristicUsed(_, .read, let item): mailbox.send(.controller(.reads, server: id, item))
            case .characteristicUsed(_, .write, let item): mailbox.send(.controller(.writes, server: id, item))
            case .characteristicUsed(_, .subscribe, let item): mailbox.send(.controller(.subscribes, server: id, item))
            case .sessionVerified: mailbox.send(.controller(.connects, server: id, nil))
            case .pairingAdded: mailbox.send(.controller(.pairs, server: id, nil))
            case .pairingRemoved: mailbox.send(.controller(.unpairs, server: id, nil))
            case .driverEvent(let aid, let event):
                mailbox.send(.driver(.accessory(server: id, aid), event.name, event.details))
            case .faultApplied(let name, let what): mailbox.send(.fault(server: id, name, on: what))
            case .faultFinished(let name): mailbox.send(.fault(server: id, name, on: nil))
            default: break
            }
        }
    }
}
