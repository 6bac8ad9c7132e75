internal import CSodium

/// An ephemeral key pair that is used for one agreement.
///
/// HAP: §7; [RFC 7748](https://www.rfc-editor.org/rfc/rfc7748#section-6.1).
package struct X25519KeyPair: ~Copyable, Sendable {
    private let secret: SecretBytes
    package let publicKey: [UInt8]

    /// Derives the pair from its 32-byte secret.
    package init(secret: consuming SecretBytes) {
        precondition(secret.count == 32, "an X25519 secret has 32 bytes")
        publicKey = secret.withBytes { secret in
            var publicKey = [UInt8](repeating: 0, count: 32)
            crypto_scalarmult_curve25519_base(&publicKey, secret.octets)
            return publicKey
        }
        self.secret = secret
    }

    /// Draws a new pair.
    package static func random() -> X25519KeyPair {
        X25519KeyPair(secret: .random(count: 32))
    }

    /// The secret shared with the owner of `peer`, or `nil` when it would be all zeros: the peer sent a point of
    /// small order, or not 32 bytes.
    package func sharedSecret(with peer: [UInt8]) -> SecretBytes? {
        guard peer.count == 32 else { return nil }
        var isAgreed = false
        let shared = SecretBytes(count: 32) { target in
            secret.withBytes { secret in
                isAgreed =
                    crypto_scalarmult_curve25519(
                        target.octets,
                        secret.octets,
                        peer
                    ) == 0
            }
        }
        guard isAgreed else { return nil }
        return shared
    }
}
