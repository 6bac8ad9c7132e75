public import AccessoryModel

/// A Swift type whose values a characteristic can have.
///
/// `Bool`, the integers, `Double`, `Float`, `String`, `[UInt8]` and `CharacteristicValue` are such types.
/// An enumeration becomes one by its raw values:
///
/// ```swift
/// enum DoorState: UInt8, CharacteristicConvertible {
///     case open, closed
/// }
/// let target = HAPCharacteristic(.targetDoorState, DoorState.closed)
/// ```
public protocol CharacteristicConvertible: Sendable {
    /// The formats whose values the type holds; a custom characteristic has the first unless it names another.
    static var characteristicFormats: [CharacteristicFormat] { get }

    /// Takes a characteristic's value, `nil` when the type has nothing for it.
    init?(characteristicValue: CharacteristicValue)

    /// The value as a characteristic has it, `nil` when there is none, as for a `Double` that is not a number.
    var characteristicValue: CharacteristicValue? { get }
}

extension CharacteristicConvertible where Self: RawRepresentable, RawValue: CharacteristicConvertible {
    /// The formats of the raw values.
    public static var characteristicFormats: [CharacteristicFormat] {
        RawValue.characteristicFormats
    }

    /// Takes the raw value.
    public init?(characteristicValue: CharacteristicValue) {
        guard let rawValue = RawValue(characteristicValue: characteristicValue) else { return nil }
        self.init(rawValue: rawValue)
    }

    /// The raw value.
    public var characteristicValue: CharacteristicValue? {
        rawValue.characteristicValue
    }
}
