package import AccessoryModel
package import HAPCore

/// A store in memory that implements the three ports, for tests that need no disk.
package actor InMemoryStore {
    /// The error that every call throws, if set.
    private var failure: StoreError?
    private var record: IdentityRecord?
    private var table = PairingTable()
    private var attributeRecord = AttributeRecord()
    private var driverRecords: [DriverDataOwner: [String: [UInt8]]] = [:]

    /// Every change that was made, in order.
    package private(set) var changes: [PairingChange] = []

    /// Receives every change after it was made.
    private var changeObserver: (@Sendable (PairingChange) -> Void)?

    /// Delays every change of the pairings until it returns.
    private var changeGuard: (@Sendable (PairingChange) async -> Void)?

    package init(identity: IdentityRecord? = nil, pairings: PairingTable = PairingTable()) {
        record = identity
        table = pairings
    }

    /// Makes every call fail from now on; `nil` makes calls succeed again.
    package func fail(with failure: StoreError?) {
        self.failure = failure
    }

    /// Calls `observer` after every change from now on.
    package func observeChanges(with observer: @escaping @Sendable (PairingChange) -> Void) {
        changeObserver = observer
    }

    /// Delays every change of the pairings until `body` returns, like a slow disk.
    package func delayChanges(until body: @escaping @Sendable (PairingChange) async -> Void) {
        changeGuard = body
    }

    private func check() throws(StoreError) {
        if let failure { throw failure }
    }
}

extension InMemoryStore: IdentityStore {
    package func identity() async throws(StoreError) -> IdentityRecord? {
        try check()
        return record
    }

    package func save(_ identity: IdentityRecord) async throws(StoreError) {
        try check()
        record = identity
    }
}

extension InMemoryStore: PairingStore {
    package func pairings() async throws(StoreError) -> PairingTable {
        try check()
        return table
    }

    package func apply(_ change: PairingChange) async throws(StoreError) {
        await changeGuard?(change)
        try check()
        table.apply(change)
        changes.append(change)
        changeObserver?(change)
    }
}

extension InMemoryStore: DriverDataStore {
    package func driverData(of owner: DriverDataOwner) async throws(StoreError) -> [String: [UInt8]] {
        try check()
        return driverRecords[owner] ?? [:]
    }

    package func setDriverData(
        _ bytes: [UInt8]?,
        name: String,
        of owner: DriverDataOwner
    ) async throws(StoreError) {
        try check()
        driverRecords[owner, default: [:]][name] = bytes
    }
}

extension InMemoryStore: AttributeStore {
    package func attributes() async throws(StoreError) -> AttributeRecord {
        try check()
        return attributeRecord
    }

    package func save(_ identifiers: IdentifierMap, _ configuration: ConfigurationRecord) async throws(StoreError) {
        try check()
        attributeRecord.identifiers = identifiers
        attributeRecord.configuration = configuration
    }

    package func save(_ values: [CharacteristicID: CharacteristicValue]) async throws(StoreError) {
        try check()
        attributeRecord.values.merge(values) { _, new in new }
    }
}

extension InMemoryStore {
    /// Returns a store with the identity of the accessory in the test vectors.
    package static func withIdentity(_ table: PairingTable = PairingTable()) -> InMemoryStore {
        InMemoryStore(identity: Fixture.identityRecord, pairings: table)
    }
}
