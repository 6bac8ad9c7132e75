internal import AsyncPrimitives
internal import HAPCore
package import HAPServer
internal import Simulation

/// Hands what happens in one server on to a mailbox, as far as scenarios care.
package struct FactTap: ServerObserver {
    private let place: Int
    private let mailbox: FactMailbox

    /// - Parameter place: The server's place among the servers of the simulation, from 0.
    package init(server place: Int, _ mailbox: FactMailbox) {
        self.place = place
        self.mailbox = mailbox
    }

    package var wantsItems: Bool { true }

    package func observe(_ fact: ServerFact) {
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
