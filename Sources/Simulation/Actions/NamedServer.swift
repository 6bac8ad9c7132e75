package import AccessoryModel
package import HAPCore

/// A server with the names of its accessories, services and characteristics.
package struct NamedServer: Sendable {
    /// The number of the server, by which objects refer to it.
    package let id: Int
    /// The name of the server.
    package var name: String
    /// The accessories, the primary one first.
    package var accessories: [NamedAccessory]
    /// The keys under which names find the server.
    var lookupKeys: [String]

    /// - Parameters:
    ///   - id: The number of the server.
    ///   - declared: The accessories of the server.
    ///   - item: Returns the id of a characteristic; a characteristic without an id is left out.
    package init(
        id: Int,
        name: String,
        _ declared: [Accessory],
        item: (Accessory, Service, Characteristic) -> CharacteristicID?
    ) {
        self.id = id
        self.name = name
        lookupKeys = NameIndex.keys([name])
        accessories = declared.compactMap { accessory in
            NamedAccessory(accessory) { service, characteristic in item(accessory, service, characteristic) }
        }
    }

    /// Creates the names of a server that was never started, with the ids that it would have.
    ///
    /// - Throws: ``ModelError`` if the accessories cannot be served.
    package init(
        id: Int,
        name: String,
        unstarted declared: [Accessory],
        isVerbatim: Bool = false
    ) throws(ModelError) {
        var identifiers = IdentifierMap()
        let database = try AttributeDatabase(declared, identifiers: &identifiers, isVerbatim: isVerbatim)
        self.init(id: id, name: name, declared) { accessory, service, characteristic in
            guard let aid = identifiers.accessories[accessory.key] else { return nil }
            return database.service(service.key, of: aid)
                .flatMap { database.characteristic(characteristic.type, of: $0) }
                .map { database.characteristics[$0].id }
        }
    }
}

/// An accessory of a server, with its names.
package struct NamedAccessory: Sendable {
    /// The id of the accessory.
    package var aid: AccessoryID
    /// The name of the accessory: the value of its Name characteristic, or its key if there is none.
    package var name: String
    /// The services that have characteristics.
    package var services: [NamedService]
    /// The keys under which names find the accessory.
    var lookupKeys: [String]

    /// Creates an accessory; `nil` if no characteristic has an id.
    init?(_ accessory: Accessory, id: (Service, Characteristic) -> CharacteristicID?) {
        services = accessory.services.compactMap { service in
            NamedService(service) { characteristic in id(service, characteristic) }
        }
        guard let aid = services.first?.characteristics.first?.id.aid else { return nil }
        self.aid = aid
        let information = accessory.services.first { $0.key.type == .accessoryInformation }
        name = information?.nonBlankText(.name) ?? accessory.key
        lookupKeys = NameIndex.keys([name, aid.description])
    }
}

extension Service {
    /// Returns the declared text of a characteristic; `nil` if it has no text or a blank one.
    func nonBlankText(_ type: CharacteristicType) -> String? {
        let text = self.characteristics.first { $0.type == type }?.value?.string
        return text.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }
}

/// A service of an accessory, with its names.
package struct NamedService: Sendable {
    /// The key that identifies the service within its accessory.
    package var key: ServiceKey
    /// The name of the service: its Configured Name or its Name, or the name of its type if it has neither.
    package var name: String
    /// Whether a model changes its values.
    package var isSimulated: Bool
    /// The commands that the service supports, except for sensor input.
    package var commands: Set<BehaviorCommand>
    /// The characteristics that have an id.
    package var characteristics: [NamedCharacteristic]
    /// The keys under which names find the service.
    var lookupKeys: [String]
    /// The keys that are used if no other name matches: the id of the service in its definition.
    let fallbackKeys: [String]

    /// Creates a service; `nil` if no characteristic has an id.
    init?(_ service: Service, id: (Characteristic) -> CharacteristicID?) {
        key = service.key
        let given = service.nonBlankText(.configuredName) ?? service.nonBlankText(.name)
        // The Name in Accessory Information is the name of the accessory, not of the service.
        name = (service.key.type == .accessoryInformation ? nil : given) ?? service.key.type.description
        lookupKeys = NameIndex.keys([name] + service.key.type.names)
        fallbackKeys = service.key.subtype.isEmpty ? [] : NameIndex.keys([service.key.subtype])
        isSimulated = service.behavior != nil
        commands = Self.commands(of: service)
        characteristics = service.characteristics.compactMap { characteristic in
            id(characteristic).map { NamedCharacteristic(id: $0, characteristic) }
        }
        if characteristics.isEmpty { return nil }
    }

    /// Returns the commands that a started copy of the device supports; they do not depend on its current state.
    private static func commands(of service: Service) -> Set<BehaviorCommand> {
        guard var started = service.behavior else { return [] }
        let values = service.characteristics.compactMap { characteristic in
            characteristic.value.map { (characteristic.type, $0) }
        }
        let types = service.characteristics.map(\.type)
        _ = started.start(with: Dictionary(values) { first, _ in first }, of: types, at: .zero)
        let button = service.characteristics.first { $0.type == .programmableSwitchEvent }
        let all: [BehaviorCommand] =
            [.stop, .obstruct, .clearObstruction, .plug, .unplug] + ButtonPress.allCases.map { .press($0) }
        return Set(
            all.filter { command in
                var device = started
                guard device.perform(command, at: .zero) != nil else { return false }
                guard case .press(let press) = command, let button else { return true }
                return button.metadata.value(from: .integer(press.rawValue), isStrict: false) != nil
            }
        )
    }
}

/// A characteristic of a service, with its names.
package struct NamedCharacteristic: Sendable, Hashable {
    /// The id in the server.
    package var id: CharacteristicID
    /// The type of the characteristic.
    package var type: CharacteristicType
    /// The name of the characteristic: its type, or a vendor's description.
    package var name: String
    /// The operations that a controller may perform.
    package var permissions: CharacteristicPermissions
    /// Whether its values are presses, which cannot be read afterwards.
    package var isButton: Bool
    /// The description of its values for users.
    package var descriptor: CharacteristicDescription
    /// The preferred keys under which names find the characteristic.
    let lookupKeys: [String]
    /// The keys that are used if no other name matches.
    let fallbackKeys: [String]

    init(id: CharacteristicID, _ characteristic: Characteristic) {
        self.id = id
        type = characteristic.type
        name = characteristic.name
        lookupKeys = NameIndex.keys([id.description] + characteristic.base.names)
        fallbackKeys = NameIndex.keys(characteristic.base.otherNames)
        permissions = characteristic.permissions
        isButton = characteristic.type.isButton
        descriptor = characteristic.base
    }
}

protocol NamedSimulationObject {
    var name: String { get set }
    /// The keys under which names find the object.
    var lookupKeys: [String] { get set }
}

extension NamedServer: NamedSimulationObject {}
extension NamedAccessory: NamedSimulationObject {}
extension NamedService: NamedSimulationObject {}

extension [NamedServer] {
    /// Returns the servers with numbers after names that are used more than once.
    func disambiguated() -> [NamedServer] {
        var servers = self
        servers.disambiguate()
        for server in servers.indices {
            servers[server].accessories.disambiguate()
            for accessory in servers[server].accessories.indices {
                servers[server].accessories[accessory].services.disambiguate()
            }
        }
        return servers
    }
}

extension Array where Element: NamedSimulationObject {
    /// Appends a number to each name that another element has; both names refer to the element.
    ///
    /// A number is skipped if an element has that name already.
    fileprivate mutating func disambiguate() {
        let numbered = NameIndex.numbered(map(\.name), taken: Set(flatMap(\.lookupKeys)))
        for (index, name) in zip(indices, numbered) where name != self[index].name {
            self[index].name = name
            self[index].lookupKeys.append(NameIndex.key(name))
        }
    }
}
