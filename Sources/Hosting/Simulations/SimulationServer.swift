package import AccessoryModel
internal import HAPCore
package import HAPServer
package import HomeRuntime
internal import Simulation

/// A server of this process that actions can affect.
package struct SimulationServer: Sendable {
    /// The server with its events.
    package let served: ObservedServer
    /// The accessories that it serves.
    package internal(set) var accessories: [Accessory]
    /// The control of the server's faults; `nil` if the server was started without fault injection.
    package let faults: ServerFaults?

    /// Creates a simulation server from a server that is listening.
    package init(_ served: ObservedServer, accessories: [Accessory], faults: ServerFaults? = nil) {
        self.served = served
        self.accessories = accessories
        self.faults = faults
    }

    /// The name of the server.
    package var name: String { served.name }
    /// The server.
    package var server: AccessoryServer { served.server }

    /// Returns the names of the server's contents, with their ids.
    func namedServer() async -> NamedServer {
        let ids = await server.characteristicIDs()
        return NamedServer(name: name, accessories) { accessory, service, characteristic in
            ids[CharacteristicKey(accessory: accessory.key, service: service.key, type: characteristic.type)]
        }
    }
}

extension SimulationServer {
    /// Replaces the served accessories, and returns the configuration number.
    ///
    /// Current values are retained, unless the value in the new declaration differs from that in the old one.
    ///
    /// - Parameter old: The declaration of the accessories that are served now.
    /// - Throws: ``ServerError`` if the new accessories cannot be served; nothing changes then.
    package func replaceAccessories(
        _ old: [Accessory],
        with new: [Accessory]
    ) async throws(ServerError) -> UInt16 {
        // The edited values are set before the replacement, so that the new behaviors start with them.
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
        // A value that the old characteristic refused may be valid for the new one.
        for (key, value) in refused {
            if let id = await server.id(of: key) {
                await server.set(value, for: id)
            }
        }
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
