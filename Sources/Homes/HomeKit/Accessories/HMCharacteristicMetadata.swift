internal import AccessoryModel
internal import HAPCore
internal import HomeModel

/// The format and the limits of a characteristic.
open class HMCharacteristicMetadata: NSObject, @unchecked Sendable {
    private let base: HomeCharacteristic
    private var metadata: CharacteristicMetadata { base.metadata }

    init(_ base: HomeCharacteristic) {
        self.base = base
        super.init()
    }

    /// The minimum, or `nil` if the characteristic does not define one.
    open var minimumValue: NSNumber? { metadata.minimum?.foundation }
    /// The maximum, or `nil` if the characteristic does not define one.
    open var maximumValue: NSNumber? { metadata.maximum?.foundation }
    /// The distance between two values, or `nil` if the characteristic does not define one.
    open var stepValue: NSNumber? { metadata.step?.foundation }
    /// The maximum number of characters, or `nil` if the characteristic does not define one.
    open var maxLength: NSNumber? { metadata.maximumLength.map { NSNumber(value: $0) } }
    /// The valid values in ascending order, or `nil` if every value within the limits is valid.
    open var validValues: [NSNumber]? { metadata.validValues.isEmpty ? nil : metadata.validValues.map(\.foundation) }
    /// One of the constants `HMCharacteristicMetadataFormat…`.
    open var format: String? { metadata.format.rawValue }
    /// One of the constants `HMCharacteristicMetadataUnits…`; `nil` if the value has no unit.
    open var units: String? { metadata.unit?.rawValue }
    /// What the accessory says about the characteristic, or the name of the type.
    open var manufacturerDescription: String? { base.description ?? base.name }
}

extension JSONNumber {
    /// The number as an `NSNumber`: an integer if possible, else a `Double`.
    var foundation: NSNumber {
        switch self {
        case .unsigned(let number): NSNumber(value: number)
        case .negative(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        }
    }

    /// Creates a number from an `NSNumber`, or returns `nil` if it is not finite.
    init?(_ number: NSNumber) {
        if let integer = number as? Int64 {
            self.init(integer)
        } else if let integer = number as? UInt64 {
            self.init(integer)
        } else {
            self.init(number.doubleValue)
        }
    }
}

extension CharacteristicValue {
    /// The value as apps get it: an `NSNumber`, a `String` or `Data`.
    var foundation: Any {
        switch self {
        case .bool(let value): NSNumber(value: value)
        case .number(let number): number.foundation
        case .string(let text): text
        case .data(let bytes): Data(bytes)
        }
    }

    /// The value as `NSCopying`: an `NSNumber`, an `NSString` or `NSData`.
    var copying: any NSCopying {
        switch self {
        case .bool(let value): NSNumber(value: value)
        case .number(let number): number.foundation
        case .string(let text): NSString(string: text)
        case .data(let bytes): NSData(data: Data(bytes))
        }
    }

    /// Creates a value from an app's `Any`, or returns `nil` if its type is not supported.
    init?(foundation value: Any?) {
        switch value {
        case let text as String: self = .string(text)
        case let data as Data: self = .data(Array(data))
        case let number as NSNumber:
            guard let number = JSONNumber(number) else { return nil }
            self = .number(number)
        case let text as NSString: self = .string(text as String? ?? "\(text)")
        default: return nil
        }
    }
}

extension CharacteristicMetadata {
    /// Converts what an app passes to a value of this characteristic.
    ///
    /// - Throws: The error for a value of another type or out of range.
    func value(fromFoundation value: Any?) throws(HMError) -> CharacteristicValue {
        guard let value = CharacteristicValue(foundation: value) else {
            throw HMError(.invalidValueType, "The value must have the format \(format.rawValue).")
        }
        if let valid = self.value(from: value, isStrict: false) { return valid }
        switch value {
        case .number(let number) where format.isNumeric:
            if let minimum, number < minimum {
                throw HMError(.valueLowerThanMinimum, "\(number) is less than the minimum of \(minimum).")
            }
            if let maximum, number > maximum {
                throw HMError(.valueHigherThanMaximum, "\(number) is greater than the maximum of \(maximum).")
            }
            if number < 0, format != .int, format != .float {
                throw HMError(.valueLowerThanMinimum, "\(number) is less than 0.")
            }
            throw .invalid("\(number) is not one of the valid values.")
        case .number(let number) where format == .bool:
            throw HMError(
                number < 0 ? .valueLowerThanMinimum : .valueHigherThanMaximum,
                "The value must be true or false."
            )
        case .string where format == .string:
            throw HMError(.stringLongerThanMaximum, "The string is longer than \(maximumLength ?? 64) characters.")
        case .data where format == .data || format == .tlv8:
            throw .invalid("The data is longer than \(maximumDataLength ?? 0) bytes.")
        default: throw HMError(.invalidValueType, "The value must have the format \(format.rawValue).")
        }
    }
}
