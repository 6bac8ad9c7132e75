public import AccessoryModel
internal import HAPCore

extension RemoteCharacteristic {
    /// What people call it: the name of its type, for a vendor's type its description, else the UUID.
    public var name: String {
        if let catalogued = Catalogue.characteristic(type) { return catalogued.name }
        if let description, description.contains(where: { !$0.isWhitespace }) { return description }
        return type.uuid.description
    }

    /// The unit as people write it: `%`, `°C`, `°`, `lx` or `s`; `nil` for none.
    public var unitSymbol: String? {
        metadata.unit?.symbol
    }

    /// The name of a value, such as `Closed` for 1; `nil` where values have no names.
    public func name(of value: CharacteristicValue) -> String? {
        guard let number = value.number else { return nil }
        return Catalogue.characteristic(type)?.valueNames.first { $0.value == number }?.name
    }

    /// The value for people, on one line: its name, else with its unit; texts without quotes.
    ///
    /// What could break the line or steer a terminal stands as `\u{1B}`.
    public func text(of value: CharacteristicValue?) -> String {
        guard let value else { return "–" }
        if let name = name(of: value) { return name }
        switch value {
        case .number(let number): return unitSymbol.map { "\(number)\($0 == "°" ? "" : " ")\($0)" } ?? "\(number)"
        case .string(let text): return text.withVisibleControls
        case .bool, .data: return value.description
        }
    }
}

extension CharacteristicUnit {
    /// The unit as people write it.
    public var symbol: String {
        switch self {
        case .celsius: "°C"
        case .percentage: "%"
        case .arcdegrees: "°"
        case .lux: "lx"
        case .seconds: "s"
        }
    }
}
