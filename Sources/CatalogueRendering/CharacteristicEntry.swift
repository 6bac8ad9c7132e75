/// A characteristic type as the input describes it; keys that the catalogue does not need are not read.
package struct CharacteristicEntry: Decodable, Hashable, Sendable {
    /// The name for people.
    package var name: String
    /// The name in files.
    package var id: String
    /// Other names in use.
    package var aliases: [String]?
    /// The full UUID.
    package var uuid: String
    /// The short form of an Apple-defined type.
    package var short: String?
    /// The format, as on the wire.
    package var format: String
    /// The permissions, as on the wire.
    package var permissions: [String]
    /// The unit, as on the wire.
    package var unit: String?
    /// The least number.
    package var minValue: InputNumber?
    /// The greatest number.
    package var maxValue: InputNumber?
    /// The distance between numbers.
    package var stepValue: InputNumber?
    /// The least length of a string.
    package var minLength: Int?
    /// The greatest length of a string.
    package var maxLength: Int?
    /// The greatest number of bytes of a data value.
    package var maxDataLength: Int?
    /// An enumeration's values by name.
    package var validValues: [String: InputNumber]?
    /// A bit field's masks by name.
    package var validBits: [String: InputNumber]?
    /// The kinds of access that only admins have.
    package var adminOnlyAccess: [String]?
}
