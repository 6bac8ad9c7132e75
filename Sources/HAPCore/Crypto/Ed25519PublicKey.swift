internal import CSodium

/// A long-term public key: 32 bytes.
///
/// HAP: §1
public struct Ed25519PublicKey: Sendable, Hashable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Takes exactly 32 bytes, `nil` for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Whether `signature` is this key's over `message`.
    ///
    /// A signature that does not have 64 bytes is not.
    package func isValidSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        Sodium.initialize()
        return crypto_sign_ed25519_verify_detached(signature, message, UInt64(message.count), bytes) == 0
    }
}
