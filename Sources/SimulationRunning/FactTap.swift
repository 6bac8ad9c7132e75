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
            mailbox.put(.value(SimulationPlace(server: place, id), value))
        case .characteristicTold(_, let id, let value):
            mailbox.put(.event(SimulationPlace(server: place, id), value))
        case .characteristicUsed(_, .read, let id): mailbox.put(.controller(.reads, server: place, id))
        case .characteristicUsed(_, .write, let id): mailbox.put(.controller(.writes, server: place, id))
        case .characteristicUsed(_, .subscribe, let id): mailbox.put(.controller(.subscribes, server: place, id))
        case .sessionVerified: mailbox.put(.controller(.connects, server: place, nil))
        case .pairingAdded: mailbox.put(.controller(.pairs, server: place, nil))
        case .pairingRemoved: mailbox.put(.controller(.unpairs, server: place, nil))
        case .faultActed(let name, let what): mailbox.put(.fault(server: place, name, on: what))
        case .faultOver(let name): mailbox.put(.fault(server: place, name, on: nil))
        default: break
        }
    }
}
