import AccessoryFiles
import AccessoryModel
import Discovery
import HAPCore
import HAPServer
import HomeRuntime
import SimulationRuntime

/// A server that listens, with what belongs to it in this program.
struct RunningServer: Sendable {
    let served: ServedAccessory
    let server: AccessoryServer
    let information: ServerInformation
    let advertiser: any Advertiser
    let log: EventLog
    /// Forwards what happens in it to homes and scenarios.
    let events: ServerEventForwarder
    /// What lets things go wrong in it; `nil` when nothing can.
    let injector: FaultInjector?

    /// The server as homes and scenarios run on it.
    var member: SimulationMember {
        SimulationMember(
            ServedServer(server, name: served.name, events: events),
            accessories: served.accessories,
            faults: injector.map { ServerFaults(of: server, by: $0) }
        )
    }

    /// What the log calls the characteristics: `Garage Door: Current Door State`.
    func nameCharacteristics(of accessories: [Accessory]) async {
        var names: [CharacteristicID: String] = [:]
        var metadata: [CharacteristicID: CharacteristicMetadata] = [:]
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
                    let name = characteristic.description ?? characteristic.type.description
                    metadata[id] = characteristic.metadata
                    names[id] = "\(given ?? service.key.type.description): \(name)"
                }
            }
        }
        log.name(names, metadata: metadata)
    }
}

extension RunningServer {
    /// Serves what a file says now, in the place of what it said before; answers with the configuration number.
    ///
    /// Values go on as they are, but for those that the file gives otherwise than before.
    ///
    /// - Throws: ``ServerError`` when that cannot be served; everything stays as it was.
    func replace(_ old: ServedFile, with new: ServedFile) async throws(ServerError) -> UInt16 {
        // Before, so that what is simulated begins with them.
        var previous: [CharacteristicID: CharacteristicValue] = [:]
        var refused: [(CharacteristicKey, CharacteristicValue)] = []
        for (reference, value) in Self.editedValues(from: old.document, to: new.document) {
            guard let id = await server.id(of: reference), let before = await server.value(of: id),
                await server.set(value, for: id)
            else {
                refused.append((reference, value))
                continue
            }
            previous[id] = before
        }
        log.setStructureEdited(true)
        defer { log.setStructureEdited(false) }
        do throws(ServerError) {
            try await server.replaceAccessories(with: new.accessories)
        } catch {
            for (id, value) in previous {
                await server.set(value, for: id)
            }
            throw error
        }
        if let injector {
            await ServerFaults(of: server, by: injector).accessoriesChanged()
        }
        // What was no value of the old characteristic may be one of the new.
        for (reference, value) in refused {
            if let id = await server.id(of: reference) {
                await server.set(value, for: id)
            }
        }
        await nameCharacteristics(of: new.accessories)
        return await server.configurationNumber
    }

    /// The values that stand otherwise in the new document than in the old one.
    private static func editedValues(
        from old: AccessoryDocument,
        to new: AccessoryDocument
    ) -> [(CharacteristicKey, CharacteristicValue)] {
        let before = values(in: old)
        return values(in: new)
            .filter { reference, value in before[reference].map { $0 != value } ?? false }
            .map { ($0.key, $0.value) }
    }

    private static func values(in document: AccessoryDocument) -> [CharacteristicKey: CharacteristicValue] {
        var values: [CharacteristicKey: CharacteristicValue] = [:]
        for accessory in document.accessories {
            for service in accessory.services {
                for characteristic in service.characteristics {
                    values[
                        CharacteristicKey(
                            accessory: accessory.key,
                            service: service.key,
                            type: characteristic.type
                        )
                    ] = characteristic.value
                }
            }
        }
        return values
    }
}
