internal import AccessoryModel
internal import HAPServer

extension HostedServer {
    /// Serves something else with the same server, and returns the configuration number.
    ///
    /// Current values are retained, unless the value in the new declaration differs from that in the old one.
    ///
    /// - Throws: ``ServerError`` if the new accessories cannot be served; nothing changes then.
    mutating func replace(with new: HostedContent) async throws(ServerError) -> UInt16 {
        // The edited values are set before the replacement, so that the new behaviors start with them.
        var previous: [CharacteristicID: CharacteristicValue] = [:]
        var refused: [(CharacteristicKey, CharacteristicValue)] = []
        for (key, value) in Self.editedValues(from: content.accessories, to: new.accessories) {
            guard let id = await server.id(of: key), let before = await server.value(of: id),
                await server.set(value, for: id)
            else {
                refused.append((key, value))
                continue
            }
            previous[id] = before
        }
        do throws(ServerError) {
            try await server.replaceAccessories(with: new.accessories)
        } catch {
            for (id, value) in previous {
                await server.set(value, for: id)
            }
            throw error
        }
        await faults.accessoriesChanged()
        // A value that the old characteristic refused may be valid for the new one.
        for (key, value) in refused {
            if let id = await server.id(of: key) {
                await server.set(value, for: id)
            }
        }
        await setContent(new)
        return await server.configurationNumber
    }

    /// Returns the values that differ between two declarations.
    private static func editedValues(
        from old: [Accessory],
        to new: [Accessory]
    ) -> [(CharacteristicKey, CharacteristicValue)] {
        let before = values(in: old)
        return values(in: new)
            .filter { key, value in before[key].map { $0 != value } ?? false }
            .map { ($0.key, $0.value) }
    }

    private static func values(in accessories: [Accessory]) -> [CharacteristicKey: CharacteristicValue] {
        var values: [CharacteristicKey: CharacteristicValue] = [:]
        for accessory in accessories {
            for service in accessory.services {
                for characteristic in service.characteristics {
                    let type = characteristic.type
                    values[CharacteristicKey(accessory: accessory.key, service: service.key, type: type)] =
                        characteristic.value
                }
            }
        }
        return values
    }
}
