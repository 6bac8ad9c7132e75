public import HAPCore

/// Keeps who a controller is, and which accessories it is paired with.
///
/// Every call that changes something returns when the change is on disk. A pairing is named by what no other has, the
/// accessory's identifier with its long-term key: whoever still holds one that was removed, or has another name by now,
/// can neither bring it back nor write into another one.
public protocol ControllerStore: Sendable {
    /// The controller's identifier and long-term key, `nil` before the first one is kept.
    func identity() async throws(StoreError) -> ControllerIdentity?

    /// Keeps the identity, unless there is one already.
    ///
    /// - Returns: the one that is kept: another process may have been first.
    func save(_ identity: ControllerIdentity) async throws(StoreError) -> ControllerIdentity

    /// The accessories in the order in which they were paired.
    func pairings() async throws(StoreError) -> [KeptPairing]

    /// Keeps a pairing that was made, or one with the same identifier and key anew, with this alias and place.
    func keep(_ pairing: KeptPairing) async throws(StoreError) -> KeepingOutcome

    /// Keeps a pairing under another alias.
    func rename(_ pairing: AccessoryPairing, to alias: String) async throws(StoreError) -> RenamingOutcome

    /// Keeps where an accessory is now; nothing happens when there is no such pairing.
    func save(host: String, port: UInt16, of pairing: AccessoryPairing) async throws(StoreError)

    /// Forgets a pairing and what was cached for it; nothing happens when there is none.
    func remove(_ pairing: AccessoryPairing) async throws(StoreError)

    /// The database as it was last read, `nil` when it was not.
    func database(of pairing: AccessoryPairing) async throws(StoreError) -> CachedDatabase?

    /// Keeps the database; nothing happens when there is no such pairing.
    func save(_ database: CachedDatabase, of pairing: AccessoryPairing) async throws(StoreError)

    /// Counts a setup code that was not accepted.
    ///
    /// - Parameter target: what it was tried on, in the caller's words.
    /// - Returns: how many there were since the last call of ``forgetWrongCodes(at:)``, this one included.
    func countWrongCode(at target: String) async throws(StoreError) -> Int

    /// Begins the count anew: a code was accepted.
    func forgetWrongCodes(at target: String) async throws(StoreError)
}
