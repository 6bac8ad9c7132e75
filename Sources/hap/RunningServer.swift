import AccessoryModel
import AsyncPrimitives
import Discovery
import HAPCore
import HAPServer
import HomeRuntime
import Hosting
import WebConsole

/// A listening server, with the objects that belong to it in this program.
struct RunningServer: Sendable {
    let place: ServerPlace
    let accessory: ServedAccessory
    let server: AccessoryServer
    let information: ServerInformation
    let advertiser: any Advertiser
    let log: EventLog
    /// Appends the server's events to the journal of the console.
    let console: ConsoleObserver
    /// Forwards the server's events to homes and scenarios.
    let events: ServerEventForwarder
    /// The fault injector of the server.
    let injector: FaultInjector
    /// Records the server's messages.
    let traffic: TrafficRecorder

    /// The server in the form in which homes and scenarios use it.
    var simulationServer: SimulationServer {
        SimulationServer(
            ObservedServer(server, name: accessory.name, events: events),
            accessories: accessory.accessories,
            faults: faults
        )
    }

    private var faults: ServerFaults { ServerFaults(of: server, by: injector) }

    /// The server as the console shows it.
    var consoleServer: ConsoleServer {
        ConsoleServer(
            index: place.index,
            key: accessory.key,
            name: accessory.name,
            server: server,
            observer: console,
            faults: faults,
            describe: { [log] event, peer in log.text(of: event, peer: peer) }
        )
    }

    /// Sets the names that the log uses for the characteristics, such as `Garage Door: Current Door State`.
    func nameCharacteristics(of accessories: [Accessory]) async {
        let ids = await server.characteristicIDs()
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
                    guard let id = ids[reference] else { continue }
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
    /// Replaces the content of a file that is served, and returns the new configuration number.
    ///
    /// Values continue unchanged, except for those that the new file declares differently.
    ///
    /// - Throws: ``ServerError`` when the new content cannot be served. In this case nothing changes.
    func replace(_ old: ServedFile, with new: ServedFile) async throws(ServerError) -> UInt16 {
        log.setSuppressesStructureEvents(true)
        defer { log.setSuppressesStructureEvents(false) }
        // A characteristic whose value was shown can become one with a secret value.
        traffic.forgetAccessories(of: accessory.key)
        let number = await Result(catching: { () async throws(ServerError) in
            try await simulationServer.replaceAccessories(old.accessories, with: new.accessories)
        })
        traffic.recordAccessories(of: accessory.key, await server.attributes)
        if case .success = number { await nameCharacteristics(of: new.accessories) }
        return try number.get()
    }
}
