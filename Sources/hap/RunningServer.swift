import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import HomeRuntime
import SimulationRuntime

/// A server that listens, with what belongs to it in this program.
struct RunningServer: Sendable {
    let accessory: ServedAccessory
    let server: AccessoryServer
    let information: ServerInformation
    let advertiser: any Advertiser
    let log: EventLog
    /// Forwards what happens in it to homes and scenarios.
    let events: ServerEventForwarder
    /// What lets things go wrong in it; `nil` when nothing can.
    let injector: FaultInjector?

    /// The server as homes and scenarios run on it.
    var simulationServer: SimulationServer {
        SimulationServer(
            ObservedServer(server, name: accessory.name, events: events),
            accessories: accessory.accessories,
            faults: injector.map { ServerFaults(of: server, by: $0) }
        )
    }

    /// What the log calls the characteristics: `Garage Door: Current Door State`.
    func nameCharacteristics(of accessories: [Accessory]) async {
        var names: [CharacteristicID: String] = [:]
        var metadata: [CharacteristicID: CharacteristicMetadata] = [:]
        var accessoryNames: [AccessoryID: String] = [:]
        for accessory in accessories {
            for service in accessory.services {
                let given = service.characteristics.first { $0.type == .name }?.value?.string
                for characteristic in service.characteristics {
                    let reference = CharacteristicKey(
                        accessory: accessory.key,
                        service: service.key,
                        type: characteristic.type
                    )
                    guard let id = await server.id(of: reference) else { continue }
                    if service.key.type == .accessoryInformation { accessoryNames[id.aid] = given }
                    let name = characteristic.description ?? characteristic.type.description
                    metadata[id] = characteristic.metadata
                    names[id] = "\(given ?? service.key.type.description): \(name)"
                }
            }
        }
        log.setNames(names, metadata: metadata, accessories: accessoryNames)
    }
}

extension RunningServer {
    /// Serves what a file says now, in the place of what it said before; answers with the configuration number.
    ///
    /// Values go on as they are, but for those that the file gives otherwise than before.
    ///
    /// - Throws: ``ServerError`` when that cannot be served; everything stays as it was.
    func replace(_ old: ServedFile, with new: ServedFile) async throws(ServerError) -> UInt16 {
        log.setSuppressesStructureEvents(true)
        defer { log.setSuppressesStructureEvents(false) }
        let number = try await simulationServer.replaceAccessories(old.accessories, with: new.accessories)
        await nameCharacteristics(of: new.accessories)
        return number
    }
}
