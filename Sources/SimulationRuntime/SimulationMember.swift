package import AccessoryModel
internal import HAPCore
package import HAPServer
package import HomeRuntime
internal import Simulation

/// A server of this process that can be acted on.
package struct SimulationMember: Sendable {
    /// The server itself.
    package let served: ServedServer
    /// What it serves.
    package internal(set) var accessories: [Accessory]
    /// What puts faults on it; `nil` when nothing does.
    package let faults: (any FaultControl)?

    /// Takes a server that listens.
    package init(_ served: ServedServer, accessories: [Accessory], faults: (any FaultControl)? = nil) {
        self.served = served
        self.accessories = accessories
        self.faults = faults
    }

    /// What people call it.
    package var name: String { served.name }
    /// The server.
    package var server: AccessoryServer { served.server }

    /// What it has, with its ids.
    func simulated() async -> SimulatedServer {
        var ids: [CharacteristicKey: CharacteristicID] = [:]
        for accessory in accessories {
            for service in accessory.services {
                for characteristic in service.characteristics {
                    let reference = CharacteristicKey(
                        accessory: accessory.key,
                        service: service.key,
                        type: characteristic.type
                    )
                    ids[reference] = await server.id(of: reference)
                }
            }
        }
        return SimulatedServer(name: name, accessories) { accessory, service, characteristic in
            ids[CharacteristicKey(accessory: accessory.key, service: service.key, type: characteristic.type)]
        }
    }
}
