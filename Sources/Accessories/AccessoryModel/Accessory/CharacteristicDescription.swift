package import HAPCore

/// The properties of a characteristic, except its id and its value.
public struct CharacteristicDescription: Sendable, Hashable {
    /// The type.
    public var type: CharacteristicType
    /// The operations that controllers may perform.
    public var permissions: CharacteristicPermissions
    /// The allowed values.
    public var metadata: CharacteristicMetadata
    /// A description for developers of controllers, mostly for vendor types.
    public var description: String?

    /// Creates a description.
    public init(
        type: CharacteristicType,
        permissions: CharacteristicPermissions = [],
        metadata: CharacteristicMetadata,
        description: String? = nil
    ) {
        self.type = type
        self.permissions = permissions
        self.metadata = metadata
        self.description = description
    }

    /// Creates a description from the catalog.
    public init(_ definition: CharacteristicDefinition) {
        self.init(type: definition.type, permissions: definition.permissions, metadata: definition.metadata)
    }

    /// Creates a description from declared metadata, or else from the catalog.
    ///
    /// If there is no metadata in either, the format is ``CharacteristicFormat/string``.
    package init(_ type: CharacteristicType, _ metadata: CharacteristicMetadata?) {
        let metadata = metadata ?? Catalog.characteristic(type)?.metadata
        self.init(type: type, metadata: metadata ?? CharacteristicMetadata(format: .string))
    }
}

extension CharacteristicDescription: Codable {}

/// A characteristic that has a description and the description's properties.
public protocol DescribedCharacteristic {
    /// The properties of the characteristic, except its id and its value.
    var base: CharacteristicDescription { get set }
}

extension DescribedCharacteristic {
    /// The type.
    @inlinable public var type: CharacteristicType {
        get { base.type }
        set { base.type = newValue }
    }
    /// The operations that controllers may perform.
    @inlinable public var permissions: CharacteristicPermissions {
        get { base.permissions }
        set { base.permissions = newValue }
    }
    /// The allowed values.
    @inlinable public var metadata: CharacteristicMetadata {
        get { base.metadata }
        set { base.metadata = newValue }
    }
    /// A description for developers of controllers, mostly for vendor types.
    @inlinable public var description: String? {
        get { base.description }
        set { base.description = newValue }
    }

    /// The display name: the name of the type, or for a vendor's type its description or its UUID.
    public var name: String { base.name }

    /// Returns the name of a value, such as `Closed` for 1, or `nil` if the value has no name.
    public func name(of value: CharacteristicValue) -> String? {
        base.name(of: value)
    }

    /// Returns a value for display on one line: its name, or the value with its unit; strings are not quoted.
    ///
    /// Control characters are written as `\u{1B}`.
    public func text(of value: CharacteristicValue?) -> String {
        base.text(of: value)
    }

    /// The symbol of the unit: `%`, `°C`, `°`, `lx` or `s`; `nil` if there is no unit.
    public var unitSymbol: String? { base.metadata.unit?.symbol }

    /// The allowed values in words, such as `Open (0) or Closed (1)`, or `0 to 100 %`.
    public var allowedValues: String { base.allowedValues }

    /// Returns the allowed values in words, with a conversion if the text is a temperature in degrees Fahrenheit.
    package func allowedValues(insteadOf text: String) -> String { base.allowedValues(insteadOf: text) }
}

// MARK: - Names

extension CharacteristicDescription {
    /// The display name: the name of the type, or for a vendor's type its description or its UUID.
    public var name: String {
        if let known = Catalog.characteristic(type) { return known.name }
        return description.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil } ?? type.uuid.description
    }

    /// The preferred names.
    package var names: [String] {
        [name] + (Catalog.characteristic(type).map { [$0.id] } ?? [])
    }

    /// Other names, which are used only if no other object has them.
    package var otherNames: [String] {
        let aliases = Catalog.characteristic(type)?.aliases ?? []
        return aliases + (description.map { [$0] } ?? []) + [type.uuid.description, type.uuid.shortened]
    }
}

// MARK: - Conversions between values and text

extension CharacteristicDescription {
    /// Returns the value that a text describes, or `nil` if there is none.
    ///
    /// For a string, this is the text itself. For bytes, it is the decoded Base64. For all other formats, it is the
    /// result of ``number(of:)``; a `bool` also accepts 0 and 1. Ranges, steps and lengths are not checked.
    package func value(of text: String) -> CharacteristicValue? {
        switch metadata.format {
        case .string: return .string(text)
        case .tlv8, .data: return Base64.decode(text).map(CharacteristicValue.data)
        case .uint8, .uint16, .uint32, .uint64, .int, .float: return number(of: text).map(CharacteristicValue.number)
        case .bool:
            switch number(of: text) {
            case 0: return false
            case 1: return true
            default: return nil
            }
        }
    }

    /// Returns the value that a text describes, or `nil` if there is none on a step and within the limits.
    package func allowedValue(of text: String) -> CharacteristicValue? {
        value(of: text).flatMap { metadata.value(from: $0, isStrict: true) }
    }

    /// Returns the number that a text describes, or `nil` if there is none.
    ///
    /// The text may be:
    ///
    /// - the name of a value, such as `Closed` or `not in use`
    /// - a number with or without its unit, such as `21.5` or `80 %`; for a color temperature also kelvins
    /// - for a switch, one of the words `on`, `off`, `yes`, `no`, `true` and `false`
    ///
    /// Case is ignored. In words and names, spaces, `-`, `_` and `.` are ignored, too.
    package func number(of text: String) -> JSONNumber? {
        guard text.utf8.count <= Self.maximumNumberSize else { return nil }
        let key = Catalog.key(text)
        if let named = valueNames.first(where: { Catalog.key($0.name) == key }) { return named.value }
        switch key {
        case "on", "true", "yes": return isSwitch ? 1 : nil
        case "off", "false", "no": return isSwitch ? 0 : nil
        default: return mireds(ofKelvins: text) ?? JSONNumber(textWithUnit: text, in: units)
        }
    }

    /// Returns a value in kelvins within a range of mireds, as an example for a message, or an empty text.
    private func kelvinExample(from least: JSONNumber?, to greatest: JSONNumber?) -> String {
        guard type == .colorTemperature, let least = least?.double, let greatest = greatest?.double,
            1...1_000_000 ~= least, least...1_000_000 ~= greatest
        else { return "" }
        let kelvins = Int((2e6 / (least + greatest) / 100).rounded()) * 100
        guard kelvins > 0, (least...greatest).contains((1e6 / Double(kelvins)).rounded()) else { return "" }
        return ", or kelvins such as \(kelvins)K"
    }

    /// The accepted spellings of the unit of a color temperature, in lower case.
    package static let kelvinSpellings = ["kelvins", "kelvin", "k"]

    /// Returns the value of a color temperature, which HAP gives in mireds, for kelvins such as `2700K`.
    private func mireds(ofKelvins text: String) -> JSONNumber? {
        let text = text.lowercased().filter { $0 != " " }
        guard type == .colorTemperature, let unit = Self.kelvinSpellings.first(where: text.hasSuffix),
            let kelvins = JSONNumber(decimal: String(text.dropLast(unit.count)))?.double, kelvins >= 1
        else { return nil }
        return JSONNumber(Int((1_000_000 / kelvins).rounded()))
    }

    /// The units that may follow a number.
    package var units: [CharacteristicUnit] {
        if let unit = metadata.unit { return [unit] }
        return metadata.format == .bool || !valueNames.isEmpty ? [] : CharacteristicUnit.allCases
    }

    /// The maximum number of bytes of a text that describes a number.
    static let maximumNumberSize = 128

    /// Returns a value as it is written in a file: its name, or a Boolean, a number, a string, or bytes in Base64.
    package func documentValue(_ value: CharacteristicValue) -> JSONValue {
        // HAP accepts a Boolean instead of the numbers 0 and 1.
        let isNumeric = metadata.format.integerRange != nil || metadata.format == .float
        let value = isNumeric ? value.bool.map { $0 ? 1 : 0 } ?? value : value
        // A name that begins with a digit would be read as a number.
        guard let name = name(of: value), name.first?.isLetter == true, self.value(of: name) == value else {
            return value.json
        }
        return .string(name)
    }

    /// The allowed values in words, such as `Open (0) or Closed (1)`, or `0 to 100 %`.
    public var allowedValues: String {
        switch metadata.format {
        case .bool: return "on or off"
        case .string:
            let least = metadata.minimumLength ?? 0
            return "a text of \(least > 0 ? "\(least) to " : "at most ")\(metadata.maximumLength ?? 64) bytes"
        case .tlv8, .data: return "at most \(metadata.maximumDataLength ?? 2_097_152) bytes in Base64"
        case .uint8, .uint16, .uint32, .uint64, .int, .float: break
        }
        let names = valueNames.filter {
            metadata.value(from: CharacteristicValue.number($0.value), isStrict: true) != nil
        }
        if !names.isEmpty {
            return names.map { "\($0.name) (\($0.value))" }.joinedWithOr
        }
        if !metadata.validValues.isEmpty {
            return metadata.validValues.prefix(20).map(\.description).joinedWithOr
        }
        let unit = metadata.unit.map { " \($0.symbol)" } ?? ""
        let kind = metadata.format == .float ? "a number" : "a whole number"
        let least = metadata.minimum ?? metadata.format.integerRange?.lowerBound
        let greatest = metadata.maximum ?? metadata.format.integerRange?.upperBound
        let range =
            switch (least, greatest) {
            case (let least?, let greatest?): " from \(least) to \(greatest)\(unit)"
            case (let least?, nil): " from \(least)\(unit)"
            case (nil, let greatest?): " up to \(greatest)\(unit)"
            case (nil, nil): unit.isEmpty ? "" : ", in\(unit)"
            }
        let step = metadata.step.flatMap { $0 > 0 && $0 != 1 ? " in steps of \($0)" : nil } ?? ""
        return kind + range + step + kelvinExample(from: least, to: greatest)
    }

    /// Returns the allowed values in words, with a conversion if the text is a temperature in °F, such as `72 F`.
    package func allowedValues(insteadOf text: String) -> String {
        let number = ["fahrenheit", "°f", "f"].lazy
            .compactMap { text.lowercased().hasSuffix($0) ? text.dropLast($0.count) : nil }
            .compactMap { JSONNumber(decimal: $0.filter { $0 != " " }) }
            .first
        guard metadata.unit == .celsius, let number else { return allowedValues }
        let celsius = ((number.double - 32) / 1.8 * 10).rounded() / 10
        return "\(allowedValues); \(number) °F is \(celsius) °C"
    }

    /// The words that a completion suggests: `on` and `off`, or the names of values.
    package var completions: [String] {
        metadata.format == .bool ? ["on", "off"] : valueNames.map(\.name)
    }

    /// Returns the name of a value, such as `Closed` for 1, or `nil` if the value has no name.
    package func name(of value: CharacteristicValue) -> String? {
        guard let number = value.number else { return nil }
        return valueNames.first { $0.value == number }?.name
    }

    /// Returns a value for display on one line: its name, or the value with its unit; strings are not quoted.
    ///
    /// Control characters are written as `\u{1B}`.
    package func text(of value: CharacteristicValue?) -> String {
        guard let value else { return "–" }
        if let name = name(of: value) { return name }
        switch value {
        case .number(let number):
            return metadata.unit.map { "\(number)\($0 == .arcdegrees ? "" : " ")\($0.symbol)" } ?? "\(number)"
        case .string(let text): return text.escapingControlCharacters
        case .bool, .data: return value.description
        }
    }

    private var valueNames: [CharacteristicDefinition.ValueName] {
        Catalog.characteristic(type)?.valueNames ?? []
    }

    /// Whether the only values are off and on, so that the words `on` and `off` are valid.
    ///
    /// It is `false` for a brightness, where `on` does not mean 1 %. It is also `false` for a door, where 1 means
    /// Closed, and for a choice such as Manual or Auto.
    package var isSwitch: Bool {
        guard metadata.format != .bool else { return true }
        let known = Catalog.characteristic(type)
        let least = metadata.minimum ?? known?.metadata.minimum
        let greatest = metadata.maximum ?? known?.metadata.maximum
        let isBinary =
            metadata.validValues.isEmpty
            ? metadata.format.integerRange != nil && least == 0 && greatest == 1
            : metadata.validValues.allSatisfy { $0 == 0 || $0 == 1 }
        guard isBinary, let off = known?.valueNames.first(where: { $0.value == 0 }) else { return isBinary }
        return ["Inactive", "Off", "Not", "Dis", "None", "Normal", "Ok"].contains { off.name.hasPrefix($0) }
    }
}

extension [String] {
    /// The elements in a sentence, such as `a, b or c`.
    package var joinedWithOr: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
