public import AccessoryModel
public import HAPCore

/// What a characteristic's value is compared with.
public enum CharacteristicTest<Value: Sendable & Hashable>: Sendable, Hashable {
    /// It is this value; `true` equals 1, and `false` equals 0.
    case equals(Value)
    /// It differs from the value before; not in a condition.
    case changes
    /// It is greater.
    case above(JSONNumber)
    /// It is less.
    case below(JSONNumber)
    /// It is in this range.
    case within(NumberRange)

    /// Returns the test, and the characteristic, with other references.
    func resolved<Resolver: HomeResolver>(
        of characteristic: Resolver.From.Characteristic,
        by resolver: inout Resolver
    ) -> (Resolver.To.Characteristic, CharacteristicTest<Resolver.To.Value>)? where Resolver.From.Value == Value {
        guard let resolved = resolver.characteristic(characteristic) else { return nil }
        switch self {
        case .equals(let value):
            return resolver.value(value, of: characteristic, as: resolved).map { (resolved, .equals($0)) }
        case .changes: return (resolved, .changes)
        case .above(let limit): return (resolved, .above(limit))
        case .below(let limit): return (resolved, .below(limit))
        case .within(let range): return (resolved, .within(range))
        }
    }
}

/// A range of numbers that includes its limits; without one of them it is half-open.
public struct NumberRange: Sendable, Hashable {
    /// The least number; `nil` is no limit.
    public let minimum: JSONNumber?
    /// The greatest number; `nil` is no limit.
    public let maximum: JSONNumber?

    /// Creates a range; `nil` without any limit, and when the least number is above the greatest one.
    public init?(minimum: JSONNumber?, maximum: JSONNumber?) {
        if let minimum, let maximum, minimum > maximum { return nil }
        guard minimum != nil || maximum != nil else { return nil }
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Takes a range with both limits.
    public init(_ range: ClosedRange<JSONNumber>) {
        minimum = range.lowerBound
        maximum = range.upperBound
    }

    func contains(_ number: JSONNumber) -> Bool {
        minimum.map { $0 <= number } ?? true && maximum.map { number <= $0 } ?? true
    }
}

extension CharacteristicTest<CharacteristicValue> {
    /// Whether it holds for a value by itself; a change never does.
    func holds(for value: CharacteristicValue) -> Bool {
        switch self {
        case .equals(let wanted): value.isEquivalent(to: wanted)
        case .changes: false
        case .above(let limit): value.numeric.map { $0 > limit } ?? false
        case .below(let limit): value.numeric.map { $0 < limit } ?? false
        case .within(let range): value.numeric.map(range.contains) ?? false
        }
    }

    /// Whether it becomes true with a value, the one before being another: the edge, not the level.
    func becomesTrue(from old: CharacteristicValue, to new: CharacteristicValue) -> Bool {
        switch self {
        case .changes: !old.isEquivalent(to: new)
        case .equals, .above, .below, .within: holds(for: new) && !holds(for: old)
        }
    }

    /// Whether a characteristic can ever have such a value; limits that it cannot cross are accepted.
    func isApplicable(to metadata: CharacteristicMetadata) -> Bool {
        switch self {
        case .changes: true
        case .equals(let value): metadata.value(from: value, isStrict: false) != nil
        case .above, .below, .within: metadata.format.isNumeric
        }
    }
}

extension CharacteristicTest<CharacteristicValue>: CustomStringConvertible {
    /// The test as the end of a sentence: `is 1`, `is above 25`.
    public var description: String {
        switch self {
        case .equals(let value): "is \(value)"
        case .changes: "changes"
        case .above(let limit): "is above \(limit)"
        case .below(let limit): "is below \(limit)"
        case .within(let range): "is \(range.phrase(of: \.description))"
        }
    }
}

extension NumberRange {
    /// The range as the end of a sentence: `within 18 to 24`, `at least 18`, `at most 24`.
    ///
    /// - Parameter text: The text of a limit; of two, the first one is without its unit.
    package func phrase(of text: (JSONNumber) -> String) -> String {
        switch (minimum, maximum) {
        case (let minimum?, let maximum?): "within \(minimum) to \(text(maximum))"
        case (let minimum?, nil): "at least \(text(minimum))"
        case (nil, let maximum): "at most \(maximum.map(text) ?? "")"
        }
    }
}

extension CharacteristicValue {
    /// Whether both mean the same: accessories write a Boolean as 1 and 0, too.
    func isEquivalent(to other: CharacteristicValue) -> Bool {
        switch (self, other) {
        case (.bool, .number), (.number, .bool): numeric == other.numeric
        case (.bool, _), (.number, _), (.string, _), (.data, _): self == other
        }
    }

    /// The number, of a Boolean 1 or 0; `nil` of everything else.
    fileprivate var numeric: JSONNumber? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .number(let value): value
        case .string, .data: nil
        }
    }
}

extension CharacteristicFormat {
    fileprivate var isNumeric: Bool {
        switch self {
        case .uint8, .uint16, .uint32, .uint64, .int, .float: true
        case .bool, .string, .tlv8, .data: false
        }
    }
}

extension CharacteristicTest: Codable where Value: Codable {
    private enum CodingKeys: String, CodingKey {
        case equals, changes, above, below, within
    }

    /// Decodes a test; throws for an unknown one.
    public init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        if let value = try stored.decodeIfPresent(Value.self, forKey: .equals) {
            self = .equals(value)
        } else if let limit = try stored.decodeIfPresent(JSONNumber.self, forKey: .above) {
            self = .above(limit)
        } else if let limit = try stored.decodeIfPresent(JSONNumber.self, forKey: .below) {
            self = .below(limit)
        } else if let range = try stored.decodeIfPresent(NumberRange.self, forKey: .within) {
            self = .within(range)
        } else if try stored.decode(Bool.self, forKey: .changes) {
            self = .changes
        } else {
            throw stored.dataCorrupted("an unknown test")
        }
    }

    /// Encodes the test.
    public func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .equals(let value): try stored.encode(value, forKey: .equals)
        case .changes: try stored.encode(true, forKey: .changes)
        case .above(let limit): try stored.encode(limit, forKey: .above)
        case .below(let limit): try stored.encode(limit, forKey: .below)
        case .within(let range): try stored.encode(range, forKey: .within)
        }
    }
}

extension NumberRange: Codable {
    private enum CodingKeys: String, CodingKey {
        case minimum, maximum
    }

    /// Decodes a range; throws for an empty one.
    public init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        let minimum = try stored.decodeIfPresent(JSONNumber.self, forKey: .minimum)
        let maximum = try stored.decodeIfPresent(JSONNumber.self, forKey: .maximum)
        guard let range = NumberRange(minimum: minimum, maximum: maximum) else {
            throw stored.dataCorrupted("an empty range")
        }
        self = range
    }
}
