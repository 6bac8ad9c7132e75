package import AccessoryModel
package import HAPController
package import HAPCore

/// A controller's store in memory, for tests that need no disk.
package actor InMemoryControllerStore: ControllerStore {
    /// The error that every call throws, if set.
    private var failure: StoreError?
    private var pairingFailure: StoreError?
    private var concurrentPairings: [StoredPairing] = []
    private var storedIdentity: ControllerIdentity?
    private var table: [StoredPairing] = []
    private var databases: [AccessoryPairing: CachedDatabase] = [:]
    private var wrongCodes: [String: Int] = [:]

    package init(identity: ControllerIdentity? = nil, pairings: [StoredPairing] = []) {
        storedIdentity = identity
        table = pairings
    }

    /// Makes every call fail from now on; `nil` makes calls succeed again.
    package func fail(with failure: StoreError?) {
        self.failure = failure
    }

    /// Makes saving a pairing fail from now on; `nil` makes it succeed again.
    package func failPairings(with failure: StoreError?) {
        pairingFailure = failure
    }

    /// Stores a pairing just before the next one is saved, as another process might.
    package func insertConcurrently(_ pairing: StoredPairing) {
        concurrentPairings.append(pairing)
    }

    package func identity() async throws(StoreError) -> ControllerIdentity? {
        try check()
        return storedIdentity
    }

    package func save(_ identity: ControllerIdentity) async throws(StoreError) -> ControllerIdentity {
        try check()
        if let storedIdentity { return storedIdentity }
        storedIdentity = identity
        return identity
    }

    package func pairings() async throws(StoreError) -> [StoredPairing] {
        try check()
        return table
    }

    package func save(_ pairing: StoredPairing) async throws(StoreError) -> SavePairingResult {
        try check()
        if let pairingFailure { throw pairingFailure }
        if !concurrentPairings.isEmpty {
            table.append(concurrentPairings.removeFirst())
        }
        let identifier = pairing.pairing.identifier
        guard !table.contains(where: { $0.alias == pairing.alias && $0.pairing.identifier != identifier }) else {
            return .aliasTaken
        }
        guard let position = table.firstIndex(where: { $0.pairing.identifier == identifier }) else {
            table.append(pairing)
            return .saved
        }
        guard table[position].pairing == pairing.pairing else { return .differentKey(alias: table[position].alias) }
        table[position] = pairing
        return .saved
    }

    package func rename(_ pairing: AccessoryPairing, to alias: String) async throws(StoreError) -> RenamePairingResult {
        try check()
        guard !table.contains(where: { $0.alias == alias && $0.pairing.identifier != pairing.identifier }) else {
            return .aliasTaken
        }
        guard let position = position(of: pairing) else { return .notFound }
        table[position].alias = alias
        return .renamed
    }

    package func save(host: String, port: UInt16, of pairing: AccessoryPairing) async throws(StoreError) {
        try check()
        guard let position = position(of: pairing) else { return }
        table[position].host = host
        table[position].port = port
    }

    package func remove(_ pairing: AccessoryPairing) async throws(StoreError) {
        try check()
        guard let position = position(of: pairing) else { return }
        table.remove(at: position)
        databases[pairing] = nil
    }

    package func database(of pairing: AccessoryPairing) async throws(StoreError) -> CachedDatabase? {
        try check()
        return databases[pairing]
    }

    package func save(_ database: CachedDatabase, of pairing: AccessoryPairing) async throws(StoreError) {
        try check()
        guard position(of: pairing) != nil else { return }
        databases[pairing] = database
    }

    package func countWrongCode(at target: String) async throws(StoreError) -> Int {
        try check()
        wrongCodes[target, default: 0] += 1
        return wrongCodes[target, default: 0]
    }

    package func resetWrongCodes(at target: String) async throws(StoreError) {
        try check()
        wrongCodes[target] = nil
    }

    private func position(of pairing: AccessoryPairing) -> Int? {
        table.firstIndex { $0.pairing == pairing }
    }

    private func check() throws(StoreError) {
        if let failure { throw failure }
    }
}
