public import HAPCore

/// Keeps the ids, the configuration number and the values of an accessory server.
public protocol AttributeStore: Sendable {
    /// Everything that is kept; empty before the first start.
    func attributes() async throws(StoreError) -> AttributeRecord

    /// Keeps ids and configuration number together; returns when they are on disk.
    func save(_ identifiers: IdentifierMap, _ configuration: ConfigurationRecord) async throws(StoreError)

    /// Keeps values, replacing those of the same characteristics.
    ///
    /// A loss of power may lose what was saved within the last second; a kill of the process loses nothing that was
    /// saved.
    func save(_ values: [CharacteristicID: CharacteristicValue]) async throws(StoreError)
}
