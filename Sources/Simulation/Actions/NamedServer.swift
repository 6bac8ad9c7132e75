package import AccessoryModel
package import HAPCore

/// What a server has, with the names by which people call it.
package struct NamedServer: Sendable {
    /// What the server is called.
    package var name: String
    /// The accessories, the primary one first.
    package var accessories: [NamedAccessory]
    /// What it goes by.
    var lookupKeys: [String]

    /// - Parameters:
    ///   - declared: What it serves.
    ///   - id: The id that a characteristic has; what has none is left out.
    package init(
        name: String,
        _ declared: [Accessory],
        id: (Accessory, Service, Characteristic) -> CharacteristicID?
    ) {
        self.name = name
        lookupKeys = NameIndex.keys([name])
        accessories = declared.compactMap { accessory in
            NamedAccessory(accessory) { service, characteristic in id(accessory, service, characteristic) }
        }
    }

    /// A server that was never started: with the ids that it would have then.
    ///
    /// - Throws: ``ModelError`` when that cannot be served.
    package init(name: String, unstarted declared: [Accessory], isVerbatim: Bool = false) throws(ModelError) {
        var identifiers = IdentifierMap()
        let database = try AttributeDatabase(declared, identifiers: &identifiers, isVerbatim: isVerbatim)
        self.init(name: name, declared) { accessory, service, characteristic in
            guard let aid = identifiers.accessories[accessory.key] else { return nil }
            return database.service(service.key, of: aid)
                .flatMap { database.characteristic(characteristic.type, of: $0) }
                .map { database.characteristics[$0].id }
        }
    }
}

/// An accessory of a server, with its names.
package struct NamedAccessory: Sendable {
    /// Its number in the server.
    package var aid: AccessoryID
    /// What it is called: its Name, else its key.
    package var name: String
    /// Its services with characteristics.
    package var services: [NamedService]
    /// What it goes by.
    var lookupKeys: [String]

    /// `nil` for one without an id.
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
    /// The declared value of a characteristic that holds a text; `nil` for none and for an empty one.
    func nonBlankText(_ type: CharacteristicType) -> String? {
        let text = self.characteristics.first { $0.type == type }?.value?.string
        return text.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }
}

/// A service of an accessory, with its names.
package struct NamedService: Sendable {
    /// What tells it from the accessory's other services.
    package var key: ServiceKey
    /// What it is called: the name that people gave it, else that of its type.
    package var name: String
    /// Whether something moves its values.
    package var isSimulated: Bool
    /// What it knows to do of what can be asked without a value.
    package var commands: Set<BehaviorCommand>
    /// Its characteristics with an id.
    package var characteristics: [NamedCharacteristic]
    /// What it goes by.
    var lookupKeys: [String]
    /// What it goes by where nothing else does: its id in a definition.
    let fallbackKeys: [String]

    /// `nil` for one without a characteristic that has an id.
    init?(_ service: Service, id: (Characteristic) -> CharacteristicID?) {
        key = service.key
        let given = service.nonBlankText(.configuredName) ?? service.nonBlankText(.name)
        // The Name in Accessory Information is the accessory's.
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

    /// Tried on a copy that was started: what a device can do does not depend on what it does now.
    private static func commands(of service: Service) -> Set<BehaviorCommand> {
        guard var started = service.behavior else { return [] }
        let values = service.characteristics.compactMap { characteristic in
            characteristic.value.map { (characteristic.type, $0) }
        }
        let types = service.characteristics.map(\.type)
        _ = started.start(with: Dictionary(values) { first, _ in first }, of: types, at: .zero)
        let button = service.characteristics.first { $0.type == .programmableSwitchEvent }
        let all: [BehaviorCommand] = [.stop, .obstruct, .clearObstruction] + ButtonPress.allCases.map { .press($0) }
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
    /// Its id in the server.
    package var id: CharacteristicID
    /// What it means.
    package var type: CharacteristicType
    /// What it is called: by its type, a vendor's by its description.
    package var name: String
    /// What a controller may do with it.
    package var permissions: CharacteristicPermissions
    /// Whether its values are presses, of which nothing stays that can be read.
    package var isButton: Bool
    /// Its values in people's words.
    package var descriptor: CharacteristicDescription
    /// What it goes by first of all.
    let lookupKeys: [String]
    /// What it goes by where nothing else does.
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
    /// What it is addressed by.
    var lookupKeys: [String] { get set }
}

extension NamedServer: NamedSimulationObject {}
extension NamedAccessory: NamedSimulationObject {}
extension NamedService: NamedSimulationObject {}

extension [NamedServer] {
    /// The same, with numbers behind the names of what is called alike.
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
    /// Puts a number behind each name that another element has; the element is addressed by both names.
    ///
    /// A numbered name that an element already has is skipped.
    fileprivate mutating func disambiguate() {
        let names = map { NameIndex.key($0.name) }
        var counts: [String: Int] = [:]
        for name in names { counts[name, default: 0] += 1 }
        guard counts.count < names.count else { return }
        let taken = Set(flatMap(\.lookupKeys))
        var last: [String: Int] = [:]
        for (index, name) in zip(indices, names) where counts[name, default: 0] > 1 {
            var number = last[name, default: 0] + 1
            while taken.contains(NameIndex.key("\(self[index].name) \(number)")) { number += 1 }
            last[name] = number
            self[index].name += " \(number)"
            self[index].lookupKeys.append(NameIndex.key(self[index].name))
        }
    }
}
