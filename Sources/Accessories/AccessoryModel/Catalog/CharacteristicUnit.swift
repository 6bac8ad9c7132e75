package import HAPCore

/// The unit of a numeric characteristic.
///
/// HAP: §11.4
public enum CharacteristicUnit: String, Sendable, Hashable, CaseIterable {
    /// Degrees Celsius.
    case celsius
    /// Percent.
    case percentage
    /// Degrees of arc.
    case arcdegrees
    /// Lux.
    case lux
    /// Seconds.
    case seconds
}

extension CharacteristicUnit {
    /// The symbol of the unit, such as `°C`.
    public var symbol: String {
        switch self {
        case .celsius: "°C"
        case .percentage: "%"
        case .arcdegrees: "°"
        case .lux: "lx"
        case .seconds: "s"
        }
    }

    /// The accepted spellings after a number, in lower case and without spaces.
    package var spellings: [String] {
        switch self {
        case .celsius: ["°c", "c", "celsius", "°", "degrees"]
        case .percentage: ["%", "percent"]
        case .arcdegrees: ["°", "degrees", "arcdegrees"]
        case .lux: ["lx", "lux"]
        case .seconds: ["s", "seconds"]
        }
    }
}

extension JSONNumber {
    /// Parses a decimal number that may be followed by one of these units: `50`, `50%`, `21.5 °C`.
    package init?(textWithUnit text: String, in units: [CharacteristicUnit] = CharacteristicUnit.allCases) {
        guard text.utf8.count <= CharacteristicDescription.maximumNumberSize else { return nil }
        let written = text.drop { $0 == " " }
        let number = written.prefix { "0"..."9" ~= $0 || "+-.eE".contains($0) }
        let unit = written.dropFirst(number.count).filter { !$0.isWhitespace }.lowercased()
        guard unit.isEmpty || units.contains(where: { $0.spellings.contains(unit) }) else { return nil }
        self.init(decimal: String(number))
    }
}
