public import HAPCore

/// Keeps who may open sessions with an accessory server.
///
/// Every call returns when the change is on disk.
///
/// HAP: §1
public protocol PairingStore: Sendable {
    /// The pairings in the order in which they were added, and the count of failed proofs.
    func pairings() async throws(StoreError) -> PairingTable

    /// Makes one change; either all of it is kept or nothing.
    ///
    /// Begins and ends where the caller is: a controller waits for it.
    nonisolated(nonsending) func apply(_ change: PairingChange) async throws(StoreError)
}
