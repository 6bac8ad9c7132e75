internal import AccessoryModel

/// The known values of characteristics.
struct ValueCache: Sendable {
    /// The value before an update.
    struct PreviousValue: Sendable, Hashable {
        /// The last known value, or `nil` if there was none.
        let last: CharacteristicValue?
        /// Whether that value was current until the update.
        let wasKnown: Bool
    }

    private struct CachedValue: Sendable {
        var value: CharacteristicValue
        var isCurrent: Bool
    }

    private var values: [CharacteristicSelector: CachedValue] = [:]

    /// The current value, or `nil` if it is unknown.
    subscript(selector: CharacteristicSelector) -> CharacteristicValue? {
        values[selector].flatMap { $0.isCurrent ? $0.value : nil }
    }

    /// Updates a value, and returns the previous one.
    mutating func update(_ value: CharacteristicValue, of selector: CharacteristicSelector) -> PreviousValue {
        let before = values.updateValue(CachedValue(value: value, isCurrent: true), forKey: selector)
        return PreviousValue(last: before?.value, wasKnown: before?.isCurrent ?? false)
    }

    /// Marks a value as unknown, but keeps it for comparison with the next one.
    mutating func markUnknown(_ selector: CharacteristicSelector) {
        values[selector]?.isCurrent = false
    }

    /// Removes the values of all characteristics that do not satisfy a predicate.
    mutating func removeAll(except isKept: (CharacteristicSelector) -> Bool) {
        values = values.filter { isKept($0.key) }
    }
}
