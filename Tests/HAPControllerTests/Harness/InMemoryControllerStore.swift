import AccessoryModel
import HAPCore

/// A controller's store that forgets.
actor InMemoryControllerStore: ControllerStore {
    private var keptIdentity: ControllerIdentity?
    private var kept: [KeptPairing] = []
    private var databases: [String: CachedDatabase] = [:]
    /// What saving a pairing throws instead, while it is set.
    private var failure: StoreError?

    init(identity: ControllerIdentity? = nil, pairings: [KeptPairing] = []) {
        keptIdentity = identity
        kept = pairings
    }

    func failToSave(with failure: StoreError?) {
        self.failure = failure
    }

    func identity() async throws(StoreError) -> ControllerIdentity? {
        keptIdentity
    }

    func save(_ identity: ControllerIdentity) async throws(StoreError) -> ControllerIdentity {
        let present = keptIdentity ?? identity
        keptIdentity = present
        return present
    }

    func pairings() async throws(StoreError) -> [KeptPairing] {
        kept
    }

    func save(_ pairing: KeptPairing) async throws(StoreError) -> Bool {
        if let failure { throw failure }
        let position = kept.firstIndex { $0.pairing.identifier == pairing.pairing.identifier }
        guard !kept.enumerated().contains(where: { $0.element.alias == pairing.alias && $0.offset != position }) else {
            return false
        }
        if let position {
            kept[position] = pairing
        } else {
            kept.append(pairing)
        }
        return true
    }

    func removePairing(alias: String) async throws(StoreError) {
        kept.removeAll { $0.alias == alias }
        databases[alias] = nil
    }

    func database(alias: String) async throws(StoreError) -> CachedDatabase? {
        databases[alias]
    }

    func save(_ database: CachedDatabase, alias: String) async throws(StoreError) {
        guard kept.contains(where: { $0.alias == alias }) else { return }
        databases[alias] = database
    }
}
