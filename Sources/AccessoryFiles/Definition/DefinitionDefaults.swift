internal import AccessoryModel
internal import HAPCore

/// What a definition means where it says nothing.
enum DefinitionDefaults {
    /// Who makes an accessory of which that is not said.
    static let manufacturer = "hap"
    /// The firmware of an accessory of which that is not said.
    static let firmware = "1.0.0"

    /// The value of a characteristic of which it is not said: the least, `false`, or an empty text; none for what
    /// cannot be read and for buttons.
    static func value(of characteristic: Characteristic) -> CharacteristicValue? {
        guard characteristic.permissions.contains(.read), characteristic.type != .programmableSwitchEvent else {
            return nil
        }
        if characteristic.type == .version { return "1.1.0" }
        let metadata = characteristic.metadata
        switch metadata.format {
        case .bool: return false
        case .string: return ""
        case .tlv8, .data: return .data([])
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            let least = metadata.minimum ?? min(0, metadata.maximum ?? 0)
            return .number(metadata.validValues.filter { $0 >= least }.min() ?? least)
        }
    }

    /// A characteristic that the catalog knows, with the value that it has unless another is said.
    static func characteristic(_ definition: CharacteristicDefinition) -> Characteristic {
        Characteristic(definition, value: value(of: Characteristic(definition)))
    }

    /// What a service has besides what is listed: what its type requires, and the *current* counterparts of what is a
    /// *target*.
    ///
    /// Of such a pair, the one that is added has the value of the other where it has that value.
    static func addedCharacteristics(for type: ServiceType, listed: [Characteristic]) -> [Characteristic] {
        guard let service = Catalog.service(type) else { return [] }
        var present = Set(listed.map(\.type))
        var added: [Characteristic] = []
        func add(_ type: CharacteristicType) {
            guard let definition = Catalog.characteristic(type), present.insert(type).inserted else { return }
            added.append(characteristic(definition))
        }
        service.required.forEach(add)
        for target in (listed + added).map(\.type) {
            if let current = Catalog.current(ofTarget: target), service.optional.contains(current) {
                add(current)
            }
        }
        for position in added.indices {
            let type = added[position].type
            let counterpart = Catalog.current(ofTarget: type) ?? Catalog.target(ofCurrent: type)
            if let other = listed.first(where: { $0.type == counterpart }),
                let value = valueOfCounterpart(from: other, to: added[position])
            {
                added[position].value = value
            }
        }
        return added
    }

    /// The first type of a service that is there for people.
    static func mainType(of types: some Sequence<ServiceType>) -> ServiceType? {
        types.first { $0 != .accessoryInformation && $0 != .protocolInformation }
    }

    /// The model of an accessory of which it is not said.
    static func model(of types: some Sequence<ServiceType>, isBridge: Bool) -> String {
        if isBridge { return "Bridge" }
        return mainType(of: types).flatMap(Catalog.service)?.name ?? "Accessory"
    }

    /// The serial number of an accessory of which it is not said: eight digits that follow from its key.
    static func serialNumber(of key: String) -> String {
        // FNV-1a, for it is short and spreads well.
        var hash: UInt32 = 0x811C_9DC5
        for byte in key.utf8 {
            hash = (hash ^ UInt32(byte)) &* 0x0100_0193
        }
        let digits = String(hash, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The value of one for its counterpart; `nil` when it means nothing there, as 1 is Heat of one, and Idle of the
    /// other.
    private static func valueOfCounterpart(from other: Characteristic, to characteristic: Characteristic)
        -> CharacteristicValue?
    {
        guard let value = other.value, characteristic.metadata.value(from: value, isStrict: false) == value else {
            return nil
        }
        let name = Catalog.characteristic(other.type)?.name(of: value)
        let counterpart = Catalog.characteristic(characteristic.type)?.name(of: value)
        switch (name, counterpart) {
        case (nil, nil): return value
        case (let name?, let counterpart?):
            return name.hasPrefix(counterpart) || counterpart.hasPrefix(name) ? value : nil
        case (nil, _?), (_?, nil): return nil
        }
    }
}

extension CharacteristicDefinition {
    /// The name of a value of an enumeration, `nil` when it has none.
    func name(of value: CharacteristicValue) -> String? {
        guard let number = value.number ?? value.bool.map({ $0 ? 1 : 0 }) else { return nil }
        return valueNames.first { $0.value == number }?.name
    }
}
