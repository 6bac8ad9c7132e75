import AccessoryModel
import HAPCore

/// A store in memory, on the server's own event loop.
actor FuzzStore {
    nonisolated let loop: FuzzEventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    private let record: IdentityRecord
    private(set) var table: PairingTable
    private var stored = AttributeRecord()
    private(set) var isWorking = true

    init(_ record: IdentityRecord, _ table: PairingTable, on loop: FuzzEventLoop) {
        self.record = record
        self.table = table
        self.loop = loop
    }

    /// Makes every call fail from now on, or succeed again.
    func toggle() {
        isWorking.toggle()
    }

    private func check() throws(StoreError) {
        guard isWorking else { throw StoreError(.unavailable, reason: "The disk is full.", remedy: "Make room.") }
    }
}

extension FuzzStore: IdentityStore, PairingStore, AttributeStore {
    func identity() async throws(StoreError) -> IdentityRecord? {
        record
    }

    func save(_ identity: IdentityRecord) async throws(StoreError) {
        try check()
    }

    func pairings() async throws(StoreError) -> PairingTable {
        table
    }

    func apply(_ change: PairingChange) async throws(StoreError) {
        try check()
        table.apply(change)
    }

    func attributes() async throws(StoreError) -> AttributeRecord {
        stored
    }

    func save(_ identifiers: IdentifierMap, _ configuration: ConfigurationRecord) async throws(StoreError) {
        try check()
        stored.identifiers = identifiers
        stored.configuration = configuration
    }

    func save(_ values: [CharacteristicID: CharacteristicValue]) async throws(StoreError) {
        try check()
        stored.values.merge(values) { _, new in new }
    }
}
