import AccessoryFiles
import AccessoryModel
import HAPCore
import HAPServer
import SimulationRuntime

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
