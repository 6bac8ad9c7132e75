public import AccessoryModel
public import HAPCore

/// What a characteristic's value is held to.
public enum CharacteristicTest: Sendable, Hashable {
    /// It is this; `true` and 1 are one, and so are `false` and 0.
    case equals(CharacteristicValue)
    /// It is another than before: of no use in a condition.
    case changes
    /// It is greater.
    case above(JSONNumber)
    /// It is less.
    case below(JSONNumber)
    /// It is in this range, limits included.
    case within(ClosedRange<JSONNumber>)

    /// Whether it holds for a value by itself; a change never does.
    func holds(for value: CharacteristicValue) -> Bool {
        switch self {
        case .equals(let wanted): value.means(wanted)
        case .changes: false
        case .above(let limit): value.numeric.map { $0 > limit } ?? false
        case .below(let limit): value.numeric.map { $0 < limit } ?? false
        case .within(let range): value.numeric.map(range.contains) ?? false
        }
    }

    /// Whether it becomes true with a value, the one before being another: the edge, not the level.
    func becomesTrue(from old: CharacteristicValue, to new: CharacteristicValue) -> Bool {
        switch self {
        case .changes: !old.means(new)
        case .equals, .above, .below, .within: holds(for: new) && !holds(for: old)
        }
    }
}

extension CharacteristicTest: CustomStringConvertible {
    /// As a sentence goes on after what is tested: `is 1`, `is above 25`.
    public var description: String {
        switch self {
        case .equals(let value): "is \(value)"
        case .changes: "changes"
        case .above(let limit): "is above \(limit)"
        case .below(let limit): "is below \(limit)"
        case .within(let range): "is within \(range.lowerBound) to \(range.upperBound)"
        }
    }
}

extension CharacteristicValue {
    /// Whether both say the same: accessories write a Boolean as 1 and 0, too.
    func means(_ other: CharacteristicValue) -> Bool {
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
