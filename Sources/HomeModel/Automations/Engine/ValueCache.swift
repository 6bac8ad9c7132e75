internal import AccessoryModel

/// What is known of the values of characteristics.
struct ValueCache: Sendable {
    /// What a value is to be compared with.
    struct PreviousValue: Sendable, Hashable {
        /// The last one that was known, `nil` when there was none.
        let last: CharacteristicValue?
        /// Whether it was known until now.
        let wasKnown: Bool
    }

    private struct CachedValue: Sendable {
        var value: CharacteristicValue
        var isCurrent: Bool
    }

    private var values: [CharacteristicSelector: CachedValue] = [:]

    /// The value at present; `nil` when nobody knows.
    subscript(selector: CharacteristicSelector) -> CharacteristicValue? {
        values[selector].flatMap { $0.isCurrent ? $0.value : nil }
    }

    /// Takes a value; returns what was there before.
    mutating func update(_ value: CharacteristicValue, of selector: CharacteristicSelector) -> PreviousValue {
        let before = values.updateValue(CachedValue(value: value, isCurrent: true), forKey: selector)
        return PreviousValue(last: before?.value, wasKnown: before?.isCurrent ?? false)
    }

    /// Remembers the last value for what comes next, and knows none.
    mutating func markUnknown(_ selector: CharacteristicSelector) {
        values[selector]?.isCurrent = false
    }

    /// Forgets everything of what is not kept.
    mutating func removeAll(except isKept: (CharacteristicSelector) -> Bool) {
        values = values.filter { isKept($0.key) }
    }
}
