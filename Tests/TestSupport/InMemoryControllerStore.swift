package import AccessoryModel
package import HAPCore

/// A controller's store that forgets, for tests that need no disk.
package actor InMemoryControllerStore: ControllerStore {
    /// What every call throws instead of doing anything, while it is set.
    private var failure: StoreError?
    private var kept: ControllerIdentity?
    private var table: [KeptPairing] = []
    private var databases: [[UInt8]: CachedDatabase] = [:]

    package init(identity: ControllerIdentity? = nil) {
        kept = identity
    }

    /// Lets every call fail from now on, or with `nil` succeed again.
    package func fail(with failure: StoreError?) {
        self.failure = failure
    }

    package func identity() async throws(StoreError) -> ControllerIdentity? {
        try check()
        return kept
    }

    package func save(_ identity: ControllerIdentity) async throws(StoreError) -> ControllerIdentity {
        try check()
        if let kept { return kept }
        kept = identity
        return identity
    }

    package func pairings() async throws(StoreError) -> [KeptPairing] {
        try check()
        return table
    }

    package func save(_ pairing: KeptPairing) async throws(StoreError) -> Bool {
        try check()
        let identifier = pairing.pairing.identifier
        guard !table.contains(where: { $0.alias == pairing.alias && $0.pairing.identifier != identifier }) else {
            return false
        }
        if let position = table.firstIndex(where: { $0.pairing.identifier == identifier }) {
            if table[position].pairing.publicKey != pairing.pairing.publicKey {
                databases[identifier] = nil
            }
            table[position] = pairing
        } else {
            table.append(pairing)
        }
        return true
    }

    package func removePairing(alias: String) async throws(StoreError) {
        try check()
        for pairing in table where pairing.alias == alias {
            databases[pairing.pairing.identifier] = nil
        }
        table.removeAll { $0.alias == alias }
    }

    package func database(alias: String) async throws(StoreError) -> CachedDatabase? {
        try check()
        return table.first { $0.alias == alias }.flatMap { databases[$0.pairing.identifier] }
    }

    package func save(_ database: CachedDatabase, alias: String) async throws(StoreError) {
        try check()
        guard let pairing = table.first(where: { $0.alias == alias }) else { return }
        databases[pairing.pairing.identifier] = database
    }

    private func check() throws(StoreError) {
        if let failure { throw failure }
    }
}
