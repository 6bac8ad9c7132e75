internal import AccessoryModel
internal import HAPCore

/// The store of somebody who only looks: nothing is in it, and nothing comes into it.
struct LookingStore: ControllerStore {
    func identity() async throws(StoreError) -> ControllerIdentity? {
        nil
    }

    func save(_ identity: ControllerIdentity) async throws(StoreError) -> ControllerIdentity {
        identity
    }

    func pairings() async throws(StoreError) -> [KeptPairing] {
        []
    }

    func save(_ pairing: KeptPairing) async throws(StoreError) -> Bool {
        true
    }

    func removePairing(alias: String) async throws(StoreError) {}

    func database(alias: String) async throws(StoreError) -> CachedDatabase? {
        nil
    }

    func save(_ database: CachedDatabase, alias: String) async throws(StoreError) {}
}
