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

    func keep(_ pairing: KeptPairing) async throws(StoreError) -> KeepingOutcome {
        .kept
    }

    func rename(_ pairing: AccessoryPairing, to alias: String) async throws(StoreError) -> RenamingOutcome {
        .gone
    }

    func save(host: String, port: UInt16, of pairing: AccessoryPairing) async throws(StoreError) {}

    func remove(_ pairing: AccessoryPairing) async throws(StoreError) {}

    func database(of pairing: AccessoryPairing) async throws(StoreError) -> CachedDatabase? {
        nil
    }

    func save(_ database: CachedDatabase, of pairing: AccessoryPairing) async throws(StoreError) {}

    func countWrongCode(at target: String) async throws(StoreError) -> Int {
        1
    }

    func forgetWrongCodes(at target: String) async throws(StoreError) {}
}
