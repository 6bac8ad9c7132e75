/// Keeps who an accessory server is.
///
/// Every call returns when the change is on disk.
///
/// HAP: §1
public protocol IdentityStore: Sendable {
    /// The identity, `nil` before the first start and after a reset.
    func identity() async throws(StoreError) -> IdentityRecord?

    /// Keeps an identity in place of any other.
    func save(_ identity: IdentityRecord) async throws(StoreError)
}
