/// Identifier and long-term key pair of a controller.
///
/// A class because the key can be held once only; nothing in it ever changes.
///
/// HAP: §1
public final class ControllerIdentity: Sendable {
    /// The pairing identifier, usually the text of an upper-case UUID.
    public let identifier: ControllerIdentifier
    package let signingKey: Ed25519SigningKey

    package init(identifier: ControllerIdentifier, signingKey: consuming Ed25519SigningKey) {
        self.identifier = identifier
        self.signingKey = signingKey
    }

    /// Draws a new key for this identifier.
    public static func random(identifier: ControllerIdentifier) -> ControllerIdentity {
        ControllerIdentity(identifier: identifier, signingKey: .random())
    }

    /// The long-term public key.
    public var publicKey: Ed25519PublicKey {
        signingKey.publicKey
    }
}

extension ControllerIdentity: CustomStringConvertible {
    /// The identifier; never the key.
    public var description: String {
        "controller \(identifier)"
    }
}
