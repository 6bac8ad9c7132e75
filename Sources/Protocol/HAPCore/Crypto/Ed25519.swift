internal import CSodium

/// A long-term key pair for signing.
///
/// HAP: §1; [RFC 8032](https://www.rfc-editor.org/rfc/rfc8032#section-5.1).
package struct Ed25519SigningKey: ~Copyable, Sendable {
    /// The seed followed by the public key, 64 bytes: libsodium's form of a signing key.
    private let secret: SecretBytes
    package let publicKey: Ed25519PublicKey

    /// Derives the pair from its 32-byte seed.
    package init(seed: borrowing SecretBytes) {
        precondition(seed.count == 32, "an Ed25519 seed has 32 bytes")
        Sodium.initialize()
        var publicBytes = [UInt8](repeating: 0, count: 32)
        secret = SecretBytes(count: 64) { target in
            seed.withBytes { seed in
                _ = crypto_sign_ed25519_seed_keypair(&publicBytes, target.bytePointer, seed.bytePointer)
            }
        }
        guard let publicKey = Ed25519PublicKey(publicBytes) else {
            preconditionFailure("an Ed25519 public key has 32 bytes")
        }
        self.publicKey = publicKey
    }

    /// Generates a random key pair.
    package static func random() -> Ed25519SigningKey {
        Ed25519SigningKey(seed: .random(count: 32))
    }

    /// Returns the 64-byte signature of a message; equal messages have equal signatures.
    package func signature(of message: [UInt8]) -> [UInt8] {
        secret.withBytes { secret in
            var signature = [UInt8](repeating: 0, count: 64)
            crypto_sign_ed25519_detached(&signature, nil, message, UInt64(message.count), secret.bytePointer)
            return signature
        }
    }

    /// Lends the 32-byte seed; only for storing it.
    package func withSeed<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try secret.withBytes { (bytes) throws(Failure) in try body(UnsafeRawBufferPointer(rebasing: bytes[..<32])) }
    }
}

/// A long-term public key: 32 bytes.
///
/// HAP: §1
public struct Ed25519PublicKey: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Creates a key from exactly 32 bytes; `nil` for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Returns whether `signature` is this key's signature of `message`; `false` if it does not have 64 bytes.
    package func isValidSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        Sodium.initialize()
        return crypto_sign_ed25519_verify_detached(signature, message, UInt64(message.count), bytes) == 0
    }
}
