package import AccessoryModel
internal import HAPCore

/// A service of an accessory, with its names.
package struct SimulatedService: Sendable {
    /// What tells it from the accessory's other services.
    package var key: ServiceKey
    /// What it is called: the name that people gave it, else that of its type.
    package var name: String
    /// Whether something moves its values.
    package var isSimulated: Bool
    /// What it knows to do of what can be asked without a value.
    package var commands: Set<BehaviorCommand>
    /// Its characteristics with an id.
    package var characteristics: [SimulatedCharacteristic]
    /// What it goes by.
    private(set) var keys: [String]
    /// What it goes by where nothing else does: its id in a definition.
    let otherKeys: [String]

    /// `nil` for one without a characteristic that has an id.
    init?(_ service: Service, id: (Characteristic) -> CharacteristicID?) {
        key = service.key
        let given = service.text(.configuredName) ?? service.text(.name)
        // The Name in Accessory Information is the accessory's.
        name = (service.key.type == .accessoryInformation ? nil : given) ?? service.key.type.description
        let definition = Catalogue.service(service.key.type)
        keys = SimulationNameKey.keys(
            [name, service.key.type.description] + (definition.map { [$0.id] + $0.aliases } ?? [])
        )
        otherKeys = service.key.subtype.isEmpty ? [] : SimulationNameKey.keys([service.key.subtype])
        isSimulated = service.behavior != nil
        commands = Self.commands(of: service)
        characteristics = service.characteristics.compactMap { characteristic in
            id(characteristic).map { SimulatedCharacteristic(id: $0, characteristic) }
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

    /// Puts a number behind its name; it goes by both.
    mutating func number(_ number: Int) {
        name += " \(number)"
        keys.append(SimulationNameKey.key(name))
    }
}
