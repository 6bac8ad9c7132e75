public import HAPCore

/// What an ``AttributeStore`` keeps.
public struct AttributeRecord: Sendable, Hashable {
    /// Which ids belong to what.
    public var identifiers: IdentifierMap
    /// The configuration number and what it stands for.
    public var configuration: ConfigurationRecord
    /// The latest values.
    public var values: [CharacteristicID: CharacteristicValue]

    /// Creates a record; without arguments, that of a first start.
    public init(
        identifiers: IdentifierMap = IdentifierMap(),
        configuration: ConfigurationRecord = ConfigurationRecord(),
        values: [CharacteristicID: CharacteristicValue] = [:]
    ) {
        self.identifiers = identifiers
        self.configuration = configuration
        self.values = values
    }
}
