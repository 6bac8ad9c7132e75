package import AccessoryModel
package import HAPCore

/// Which values a controller may write to the characteristics of a service; what is not named is stored as it comes.
///
/// They are few: to look through them takes less than to hash a type.
package struct WriteRules: Sendable, ExpressibleByDictionaryLiteral {
    private let entries: [(type: CharacteristicType, rule: WriteRule)]

    package init(dictionaryLiteral elements: (CharacteristicType, WriteRule)...) {
        entries = elements.map { (type: $0.0, rule: $0.1) }
    }

    /// The rule of a characteristic, `nil` when there is none.
    package subscript(type: CharacteristicType) -> WriteRule? {
        entries.first { $0.type == type }?.rule
    }
}

/// Which values of a characteristic a behavior can follow.
package enum WriteRule: Sendable, Hashable {
    /// One of two states, as a Boolean or as 0 or 1.
    case boolean
    /// An integer of this range.
    case integer(ClosedRange<Int>)
    /// Any finite number.
    case number
    /// None: the device measures it.
    case readOnly

    /// Why a value cannot be written, `nil` when it can.
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
    /// An integer, also where a controller writes a Boolean for 0 or 1; `nil` for all else.
    var coercedInteger: Int? {
        integer ?? bool.map { $0 ? 1 : 0 }
    }

    /// The number that a characteristic of a measured quantity holds, without the noise of its arithmetic.
    static func roundedNumber(_ value: Double) -> CharacteristicValue {
        let rounded = abs(value) < 1e9 ? (value * 1e6).rounded() / 1e6 : value
        return .number(JSONNumber(rounded) ?? 0)
    }

    /// One of two states, also where a controller writes a Boolean to a number or the reverse; `nil` for all else.
    var coercedBool: Bool? {
        switch self {
        case .bool(let value): value
        case .number: integer == 0 ? false : integer == 1 ? true : nil
        case .string, .data: nil
        }
    }

    /// A finite number, `nil` for all else.
    var finiteDouble: Double? {
        guard let double = number?.double, double.isFinite else { return nil }
        return double
    }
}

/// The states of a characteristic that holds one of a few numbers.
protocol IntegerState: RawRepresentable<Int>, Sendable, Hashable {}

extension IntegerState {
    /// Reads a written or kept value, also a Boolean; `nil` for a value that is none of the states.
    init?(_ value: CharacteristicValue?) {
        guard let number = value?.coercedInteger else { return nil }
        self.init(rawValue: number)
    }
}
