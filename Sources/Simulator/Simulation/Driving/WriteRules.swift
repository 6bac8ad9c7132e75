package import AccessoryModel
package import HAPCore

/// The values that a controller may write to the characteristics of a service; without a rule, any value is stored.
///
/// The rules are few, so a linear search is faster than hashing a type.
package struct WriteRules: Sendable, ExpressibleByDictionaryLiteral {
    private let entries: [(type: CharacteristicType, rule: WriteRule)]

    package init(dictionaryLiteral elements: (CharacteristicType, WriteRule)...) {
        entries = elements.map { (type: $0.0, rule: $0.1) }
    }

    /// The rule of a characteristic; `nil` if there is none.
    package subscript(type: CharacteristicType) -> WriteRule? {
        entries.first { $0.type == type }?.rule
    }
}

/// The values of a characteristic that a behavior accepts.
package enum WriteRule: Sendable, Hashable {
    /// A Boolean, which can also be written as 0 or 1.
    case boolean
    /// An integer in this range.
    case integer(ClosedRange<Int>)
    /// Any finite number.
    case number
    /// No value: the device measures it.
    case readOnly

    /// Returns the reason why a value cannot be written; `nil` if it can.
    package func refusal(of value: CharacteristicValue) -> HAPStatus? {
        switch self {
        case .boolean: value.coercedBool == nil ? .invalidValue : nil
        case .integer(let range): value.coercedInteger.map(range.contains) == true ? nil : .invalidValue
        case .number: value.finiteDouble == nil ? .invalidValue : nil
        case .readOnly: .readOnly
        }
    }
}

extension CharacteristicValue {
    /// The integer, or 0 or 1 for a Boolean; `nil` for all else.
    package var coercedInteger: Int? {
        integer ?? bool.map { $0 ? 1 : 0 }
    }

    /// Returns the value of a measured quantity, rounded to six decimals to hide rounding errors.
    static func roundedNumber(_ value: Double) -> CharacteristicValue {
        let rounded = abs(value) < 1e9 ? (value * 1e6).rounded() / 1e6 : value
        return .number(JSONNumber(rounded) ?? 0)
    }

    /// The Boolean, or `false` or `true` for the number 0 or 1; `nil` for all else.
    package var coercedBool: Bool? {
        switch self {
        case .bool(let value): value
        case .number: integer == 0 ? false : integer == 1 ? true : nil
        case .string, .data: nil
        }
    }

    /// The finite number; `nil` for all else.
    package var finiteDouble: Double? {
        guard let double = number?.double, double.isFinite else { return nil }
        return double
    }
}

/// The states of a characteristic that holds one of a few integers.
protocol IntegerState: RawRepresentable<Int>, Sendable, Hashable {}

extension IntegerState {
    /// Creates a state from a written or saved value, which can also be a Boolean; `nil` for any other value.
    init?(_ value: CharacteristicValue?) {
        guard let number = value?.coercedInteger else { return nil }
        self.init(rawValue: number)
    }
}
