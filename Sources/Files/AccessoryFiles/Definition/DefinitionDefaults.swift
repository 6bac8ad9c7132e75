internal import AccessoryModel
internal import HAPCore

/// The defaults of definitions.
enum DefinitionDefaults {
    /// The manufacturer if none is written.
    static let manufacturer = "hap"
    /// The firmware version if none is written.
    static let firmware = "1.0.0"

    /// Returns the default value of a characteristic, or `nil` for buttons and what cannot be read.
    ///
    /// It is a value that a device in a home could report, or else the minimum, `false` or an empty text.
    static func value(of characteristic: Characteristic) -> CharacteristicValue? {
        guard characteristic.permissions.contains(.read), characteristic.type != .programmableSwitchEvent else {
            return nil
        }
        if characteristic.type == .version { return "1.1.0" }
        let metadata = characteristic.metadata
        if let first = metadata.firstValue(of: characteristic.type) { return first }
        switch metadata.format {
        case .bool: return false
        case .string: return ""
        case .tlv8, .data: return .data([])
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            let least = metadata.minimum ?? min(0, metadata.maximum ?? 0)
            return .number(metadata.validValues.filter { $0 >= least }.min() ?? least)
        }
    }

    /// Returns a characteristic of the catalog with its default value.
    static func characteristic(_ definition: CharacteristicDefinition) -> Characteristic {
        Characteristic(definition, value: value(of: Characteristic(definition)))
    }

    /// Returns the characteristics that are added to the listed ones: those that the service type requires, and the
    /// *current* counterpart of each *target*.
    ///
    /// An added counterpart gets the value of the listed characteristic, if that value means the same for both.
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

    /// Returns the type of the first service that users see.
    static func mainType(of types: some Sequence<ServiceType>) -> ServiceType? {
        types.first { $0 != .accessoryInformation && $0 != .protocolInformation }
    }

    /// Returns the default model name of an accessory.
    static func model(of types: some Sequence<ServiceType>, isBridge: Bool) -> String {
        if isBridge { return "Bridge" }
        return mainType(of: types).flatMap(Catalog.service)?.name ?? "Accessory"
    }

    /// Returns the default serial number of an accessory: eight hexadecimal digits that are derived from its key.
    static func serialNumber(of key: String) -> String {
        // FNV-1a is short and distributes well.
        var hash: UInt32 = 0x811C_9DC5
        for byte in key.utf8 {
            hash = (hash ^ UInt32(byte)) &* 0x0100_0193
        }
        return hash.paddedHexadecimal.uppercased()
    }

    /// Returns Accessory Information with the given values, and defaults for missing ones.
    ///
    /// - Parameters:
    ///   - key: The key of the accessory.
    ///   - types: The types of its services.
    ///   - text: Returns the text of a characteristic, or `nil` if it is missing.
    static func information(
        name: String,
        key: String,
        of types: some Sequence<ServiceType>,
        isBridge: Bool,
        text: (CharacteristicType) -> String?
    ) -> Service {
        Service.accessoryInformation(
            name: name,
            manufacturer: text(.manufacturer) ?? manufacturer,
            model: text(.model) ?? model(of: types, isBridge: isBridge),
            serialNumber: text(.serialNumber) ?? serialNumber(of: key),
            firmware: text(.firmwareRevision) ?? firmware
        )
    }

    /// Returns the value of a counterpart, or `nil` if the value has a different meaning there.
    ///
    /// For example, 1 means Heat for a target state, and Idle for the current state.
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
    /// Returns the name of an enumeration's value, or `nil` if it has none.
    func name(of value: CharacteristicValue) -> String? {
        guard let number = value.number ?? value.bool.map({ $0 ? 1 : 0 }) else { return nil }
        return valueNames.first { $0.value == number }?.name
    }
}
