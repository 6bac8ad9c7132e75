package import AccessoryModel
internal import HAPCore
package import HAPServer
internal import Simulation

/// A server of this process that can be acted on.
package struct SimulationMember: Sendable {
    /// What people call it.
    package let name: String
    /// The server itself.
    package let server: AccessoryServer
    /// What it serves.
    package internal(set) var accessories: [Accessory]
    /// What puts faults on it; `nil` when nothing does.
    package let faults: (any FaultControl)?

    /// Takes a server that listens.
    package init(
        _ server: AccessoryServer,
        name: String,
        accessories: [Accessory],
        faults: (any FaultControl)? = nil
    ) {
        self.name = name
        self.server = server
        self.accessories = accessories
        self.faults = faults
    }

    /// What it has, with its ids.
    func simulated() async -> SimulatedServer {
        var ids: [CharacteristicReference: CharacteristicID] = [:]
        for accessory in accessories {
            for service in accessory.services {
                for characteristic in service.characteristics {
                    let reference = CharacteristicReference(
                        accessory: accessory.key,
                        service: service.key,
                        type: characteristic.type
                    )
                    ids[reference] = await server.id(of: reference)
                }
            }
        }
        return SimulatedServer(name: name, accessories) { accessory, service, characteristic in
            ids[CharacteristicReference(accessory: accessory.key, service: service.key, type: characteristic.type)]
        }
    }
}
