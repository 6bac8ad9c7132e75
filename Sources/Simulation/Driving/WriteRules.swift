package import AccessoryModel

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
