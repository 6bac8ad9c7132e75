public import AccessoryModel
internal import HAPCore

/// A Swift type for values of characteristics.
///
/// `Bool`, the integers, `Double`, `Float`, `String`, `[UInt8]` and `CharacteristicValue` conform. An enumeration
/// conforms with its raw values:
///
/// ```swift
/// enum DoorState: UInt8, CharacteristicConvertible {
///     case open, closed
/// }
/// let target = HAPCharacteristic(.targetDoorState, DoorState.closed)
/// ```
public protocol CharacteristicConvertible: Sendable {
    /// The formats that the type can represent; a custom characteristic uses the first one by default.
    static var characteristicFormats: [CharacteristicFormat] { get }

    /// Converts a value of a characteristic; `nil` if the type cannot represent it.
    init?(characteristicValue: CharacteristicValue)

    /// The value for a characteristic; `nil` if there is none, as for a `Double` that is not a number.
    var characteristicValue: CharacteristicValue? { get }
}

extension CharacteristicConvertible where Self: RawRepresentable, RawValue: CharacteristicConvertible {
    /// The formats of the raw values.
    public static var characteristicFormats: [CharacteristicFormat] {
        RawValue.characteristicFormats
    }

    /// Converts a raw value.
    public init?(characteristicValue: CharacteristicValue) {
        guard let rawValue = RawValue(characteristicValue: characteristicValue) else { return nil }
        self.init(rawValue: rawValue)
    }

    /// The raw value.
    public var characteristicValue: CharacteristicValue? {
        rawValue.characteristicValue
    }
}

extension Bool: CharacteristicConvertible {
    /// `bool`.
    public static var characteristicFormats: [CharacteristicFormat] {
        [.bool]
    }

    /// Converts a Boolean.
    public init?(characteristicValue: CharacteristicValue) {
        guard let value = characteristicValue.bool else { return nil }
        self = value
    }

    /// The Boolean.
    public var characteristicValue: CharacteristicValue? {
        .bool(self)
    }
}

extension CharacteristicConvertible where Self: FixedWidthInteger {
    /// Every integer format, beginning with the type's own.
    public static var characteristicFormats: [CharacteristicFormat] {
        let unsigned: [(bitWidth: Int, format: CharacteristicFormat)] = [
            (8, .uint8), (16, .uint16), (32, .uint32), (64, .uint64),
        ]
        let own = unsigned.first { !isSigned && $0.bitWidth == bitWidth }?.format ?? .int
        return [own] + (unsigned.map(\.format) + [.int]).filter { $0 != own }
    }

    /// Converts an integer that fits.
    public init?(characteristicValue: CharacteristicValue) {
        guard let value = characteristicValue.number?.integer(as: Self.self) else { return nil }
        self = value
    }

    /// The integer.
    public var characteristicValue: CharacteristicValue? {
        .integer(self)
    }
}

extension Int: CharacteristicConvertible {}

extension Int32: CharacteristicConvertible {}

extension UInt8: CharacteristicConvertible {}

extension UInt16: CharacteristicConvertible {}

extension UInt32: CharacteristicConvertible {}

extension UInt64: CharacteristicConvertible {}

extension CharacteristicConvertible where Self: BinaryFloatingPoint {
    /// `float`.
    public static var characteristicFormats: [CharacteristicFormat] {
        [.float]
    }

    /// Converts a number.
    public init?(characteristicValue: CharacteristicValue) {
        guard let number = characteristicValue.number else { return nil }
        self.init(number.double)
    }

    /// The number; `nil` if it is infinite or not a number.
    public var characteristicValue: CharacteristicValue? {
        JSONNumber(Double(self)).map(CharacteristicValue.number)
    }
}

extension Double: CharacteristicConvertible {}

extension Float: CharacteristicConvertible {}

extension String: CharacteristicConvertible {
    /// `string`.
    public static var characteristicFormats: [CharacteristicFormat] {
        [.string]
    }

    /// Converts a text.
    public init?(characteristicValue: CharacteristicValue) {
        guard let value = characteristicValue.string else { return nil }
        self = value
    }

    /// The text.
    public var characteristicValue: CharacteristicValue? {
        .string(self)
    }
}

extension [UInt8]: CharacteristicConvertible {
    /// `data` and `tlv8`.
    public static var characteristicFormats: [CharacteristicFormat] {
        [.data, .tlv8]
    }

    /// Converts bytes.
    public init?(characteristicValue: CharacteristicValue) {
        guard case .data(let bytes) = characteristicValue else { return nil }
        self = bytes
    }

    /// The bytes.
    public var characteristicValue: CharacteristicValue? {
        .data(self)
    }
}

extension CharacteristicValue: CharacteristicConvertible {
    /// Every format.
    public static var characteristicFormats: [CharacteristicFormat] {
        CharacteristicFormat.allCases
    }

    /// Accepts any value.
    public init?(characteristicValue: CharacteristicValue) {
        self = characteristicValue
    }

    /// The value itself.
    public var characteristicValue: CharacteristicValue? {
        self
    }
}
