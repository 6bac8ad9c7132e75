public import HAPCore

/// Keeps who a controller is, and which accessories it is paired with.
///
/// Every call that changes something returns when the change is on disk.
public protocol ControllerStore: Sendable {
    /// The controller's identifier and long-term key, `nil` before the first one is kept.
    func identity() async throws(StoreError) -> ControllerIdentity?

    /// Keeps the identity, unless there is one already.
    ///
    /// - Returns: the one that is kept: another process may have been first.
    func save(_ identity: ControllerIdentity) async throws(StoreError) -> ControllerIdentity

    /// The accessories in the order in which they were paired.
    func pairings() async throws(StoreError) -> [KeptPairing]

    /// Keeps a pairing, in place of one with the same accessory identifier.
    ///
    /// - Returns: whether it is kept: `false` when the alias belongs to another accessory.
    func save(_ pairing: KeptPairing) async throws(StoreError) -> Bool

    /// Forgets a pairing and what was cached for it; nothing happens when there is none.
    func removePairing(alias: String) async throws(StoreError)

    /// The database as it was last read, `nil` when it was not.
    func database(alias: String) async throws(StoreError) -> CachedDatabase?

    /// Keeps the database; nothing happens when there is no such pairing.
    func save(_ database: CachedDatabase, alias: String) async throws(StoreError)
}
