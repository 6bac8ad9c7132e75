internal import AccessoryModel

/// What is known of the values of characteristics.
struct KnownValues: Sendable {
    /// What a value is to be compared with.
    struct Before: Sendable, Hashable {
        /// The last one that was known, `nil` when there was none.
        let last: CharacteristicValue?
        /// Whether it was known until now.
        let wasCurrent: Bool
    }

    private struct Known: Sendable {
        var value: CharacteristicValue
        var isCurrent: Bool
    }

    private var values: [CharacteristicSelector: Known] = [:]

    /// The value at present; `nil` when nobody knows.
    subscript(selector: CharacteristicSelector) -> CharacteristicValue? {
        values[selector].flatMap { $0.isCurrent ? $0.value : nil }
    }

    /// Takes a value; returns what was there before.
    mutating func take(_ value: CharacteristicValue, of selector: CharacteristicSelector) -> Before {
        let before = values.updateValue(Known(value: value, isCurrent: true), forKey: selector)
        return Before(last: before?.value, wasCurrent: before?.isCurrent ?? false)
    }

    /// Remembers the last value for what comes next, and knows none.
    mutating func lose(_ selector: CharacteristicSelector) {
        values[selector]?.isCurrent = false
    }

    /// Forgets everything of what is not kept.
    mutating func keepOnly(_ isKept: (CharacteristicSelector) -> Bool) {
        values = values.filter { isKept($0.key) }
    }
}
