/// A controller that may open sessions with an accessory server.
///
/// HAP: §1
public struct Pairing: Sendable, Hashable {
    /// The controller's identifier, unique among the pairings.
    public let identifier: ControllerIdentifier
    /// The controller's long-term public key.
    public let publicKey: Ed25519PublicKey
    /// Whether the controller may manage pairings.
    public var isAdmin: Bool

    /// Creates a pairing.
    public init(identifier: ControllerIdentifier, publicKey: Ed25519PublicKey, isAdmin: Bool) {
        self.identifier = identifier
        self.publicKey = publicKey
        self.isAdmin = isAdmin
    }
}
