package import AccessoryModel
internal import HAPCore
package import HAPServer
package import HomeRuntime
internal import Simulation

/// A server of this process that can be acted on.
package struct SimulationServer: Sendable {
    /// The server itself.
    package let served: ObservedServer
    /// What it serves.
    package internal(set) var accessories: [Accessory]
    /// What puts faults on it; `nil` when nothing does.
    package let faults: ServerFaults?

    /// Takes a server that listens.
    package init(_ served: ObservedServer, accessories: [Accessory], faults: ServerFaults? = nil) {
        self.served = served
        self.accessories = accessories
        self.faults = faults
    }

    /// What people call it.
    package var name: String { served.name }
    /// The server.
    package var server: AccessoryServer { served.server }

    /// What it has, with its ids.
    func namedServer() async -> NamedServer {
        var ids: [CharacteristicKey: CharacteristicID] = [:]
        for (key, _) in Self.characteristics(in: accessories) {
            ids[key] = await server.id(of: key)
        }
        return NamedServer(name: name, accessories) { accessory, service, characteristic in
            ids[CharacteristicKey(accessory: accessory.key, service: service.key, type: characteristic.type)]
        }
    }
}

extension SimulationServer {
    /// Serves other accessories in place of the present ones; returns the configuration number.
    ///
    /// Present values stay, except where the new declaration has another value than the old one.
    ///
    /// - Parameter old: What is served now, as it was declared.
    /// - Throws: ``ServerError`` when that cannot be served; everything stays as it was.
    package func replaceAccessories(
        _ old: [Accessory],
        with new: [Accessory]
    ) async throws(ServerError) -> UInt16 {
        // Before, so that what is simulated begins with them.
        var previous: [CharacteristicID: CharacteristicValue] = [:]
        var refused: [(CharacteristicKey, CharacteristicValue)] = []
        for (key, value) in Self.editedValues(from: old, to: new) {
            guard let id = await server.id(of: key), let before = await server.value(of: id),
                await server.set(value, for: id)
            else {
                refused.append((key, value))
                continue
            }
            previous[id] = before
        }
        do throws(ServerError) {
            try await server.replaceAccessories(with: new)
        } catch {
            for (id, value) in previous {
                await server.set(value, for: id)
            }
            throw error
        }
        await faults?.accessoriesChanged()
        // What was no value of the old characteristic may be one of the new.
        for (key, value) in refused {
            if let id = await server.id(of: key) {
                await server.set(value, for: id)
            }
        }
        return await server.configurationNumber
    }

    /// The values that differ between two declarations.
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
        for (key, value) in characteristics(in: accessories) {
            values[key] = value
        }
        return values
    }

    private static func characteristics(
        in accessories: [Accessory]
    ) -> [(key: CharacteristicKey, value: CharacteristicValue?)] {
        accessories.flatMap { accessory in
            accessory.services.flatMap { service in
                service.characteristics.map { characteristic in
                    let type = characteristic.type
                    let key = CharacteristicKey(accessory: accessory.key, service: service.key, type: type)
                    return (key, characteristic.value)
                }
            }
        }
    }
}
