import AccessoryModel
import HAPCore
import NIOCore

/// A store without a disk, on the benchmark's own loop.
actor BenchmarkStore {
    private let loop: BenchmarkLoop
    private let record: IdentityRecord
    private let table: PairingTable
    /// The number of times that values were saved.
    private(set) var saves = 0

    init(_ record: IdentityRecord, _ table: PairingTable, on loop: BenchmarkLoop) {
        self.record = record
        self.table = table
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }
}

extension BenchmarkStore: IdentityStore, PairingStore, AttributeStore {
    func identity() async throws(StoreError) -> IdentityRecord? {
        record
    }

    func save(_ identity: IdentityRecord) async throws(StoreError) {}

    func pairings() async throws(StoreError) -> PairingTable {
        table
    }

    func apply(_ change: PairingChange) async throws(StoreError) {}

    func attributes() async throws(StoreError) -> AttributeRecord {
        AttributeRecord()
    }

    func save(_ identifiers: IdentifierMap, _ configuration: ConfigurationRecord) async throws(StoreError) {}

    func save(_ values: [CharacteristicID: CharacteristicValue]) async throws(StoreError) {
        saves += 1
    }
}
