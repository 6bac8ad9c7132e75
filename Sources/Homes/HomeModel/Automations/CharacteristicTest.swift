package import AccessoryModel
public import HAPCore

/// A test of a characteristic's value.
public enum CharacteristicTest<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The value equals this one; `true` equals 1, and `false` equals 0.
    case equals(Value)
    /// The value differs from the previous one; not allowed in a condition.
    case changes
    /// The value is greater than this number.
    case above(JSONNumber)
    /// The value is less than this number.
    case below(JSONNumber)
    /// The value is in this range.
    case within(NumberRange)

    /// Returns the characteristic and the test with their references resolved to another kind.
    ///
    /// Returns `nil` if the resolver fails for any of them.
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

/// A range of numbers that includes its limits; either limit can be missing, but not both.
public struct NumberRange: Sendable, Hashable {
    /// The minimum, or `nil` for no lower limit.
    public let minimum: JSONNumber?
    /// The maximum, or `nil` for no upper limit.
    public let maximum: JSONNumber?

    /// Creates a range, or returns `nil` if both limits are missing or the minimum exceeds the maximum.
    public init?(minimum: JSONNumber?, maximum: JSONNumber?) {
        if let minimum, let maximum, minimum > maximum { return nil }
        guard minimum != nil || maximum != nil else { return nil }
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Creates a range with both limits.
    public init(_ range: ClosedRange<JSONNumber>) {
        minimum = range.lowerBound
        maximum = range.upperBound
    }

    func contains(_ number: JSONNumber) -> Bool {
        minimum.map { $0 <= number } ?? true && maximum.map { number <= $0 } ?? true
    }
}

extension CharacteristicTest<CharacteristicValue> {
    /// Returns whether the test holds for a single value; a test for a change never does.
    func holds(for value: CharacteristicValue) -> Bool {
        switch self {
        case .equals(let wanted): value.isEquivalent(to: wanted)
        case .changes: false
        case .above(let limit): value.numeric.map { $0 > limit } ?? false
        case .below(let limit): value.numeric.map { $0 < limit } ?? false
        case .within(let range): value.numeric.map(range.contains) ?? false
        }
    }

    /// Returns whether the test becomes true when a value replaces another one: it detects the edge, not the level.
    func becomesTrue(from old: CharacteristicValue, to new: CharacteristicValue) -> Bool {
        switch self {
        case .changes: !old.isEquivalent(to: new)
        case .equals, .above, .below, .within: holds(for: new) && !holds(for: old)
        }
    }

    /// Returns whether the test makes sense for a characteristic.
    ///
    /// A limit outside the characteristic's range is accepted, although no value can cross it.
    func isApplicable(to metadata: CharacteristicMetadata) -> Bool {
        switch self {
        case .changes: true
        case .equals(let value): metadata.value(from: value, isStrict: false) != nil
        case .above, .below, .within: metadata.format.isNumeric
        }
    }
}

extension NumberRange {
    /// Returns the range as the end of a sentence, for example `within 18 to 24`, `at least 18` or `at most 24`.
    ///
    /// - Parameter text: Returns the text of a limit. If there are two limits, the first one is written without its
    ///   unit.
    package func phrase(of text: (JSONNumber) -> String) -> String {
        switch (minimum, maximum) {
        case (let minimum?, let maximum?): "within \(minimum) to \(text(maximum))"
        case (let minimum?, nil): "at least \(text(minimum))"
        case (nil, let maximum): "at most \(maximum.map(text) ?? "")"
        }
    }
}

extension CharacteristicValue {
    /// Returns whether both values mean the same: some accessories send a Boolean as 1 or 0.
    func isEquivalent(to other: CharacteristicValue) -> Bool {
        switch (self, other) {
        case (.bool, .number), (.number, .bool): numeric == other.numeric
        case (.bool, _), (.number, _), (.string, _), (.data, _): self == other
        }
    }

    /// The number, 1 or 0 for a Boolean, and `nil` for other values.
    fileprivate var numeric: JSONNumber? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .number(let value): value
        case .string, .data: nil
        }
    }
}

extension CharacteristicFormat {
    package var isNumeric: Bool {
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

    /// Decodes a test, and throws an error if its kind is unknown.
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

    /// Decodes a range, and throws an error if the range is empty.
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
