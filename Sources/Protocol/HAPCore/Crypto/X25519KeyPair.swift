internal import CSodium

/// An ephemeral key pair that is used for one agreement.
///
/// HAP: §7; [RFC 7748](https://www.rfc-editor.org/rfc/rfc7748#section-6.1).
package struct X25519KeyPair: ~Copyable, Sendable {
    /// The 32-byte secret, followed by room for the 32 bytes of the agreement.
    ///
    /// Allocating locked memory takes half as long as the arithmetic, so an exchange has a single allocation.
    private var memory: SecretBytes
    package let publicKey: [UInt8]

    /// Derives the pair from its 32-byte secret.
    package init(secret: borrowing SecretBytes) {
        precondition(secret.count == 32, "an X25519 secret has 32 bytes")
        let memory = SecretBytes(count: 64) { target in
            secret.withBytes { target.copyMemory(from: $0) }
        }
        self.init(memory: memory)
    }

    private init(memory: consuming SecretBytes) {
        publicKey = memory.withBytes { secret in
            var publicKey = [UInt8](repeating: 0, count: 32)
            crypto_scalarmult_curve25519_base(&publicKey, secret.bytePointer)
            return publicKey
        }
        self.memory = memory
    }

    /// Generates a random key pair.
    package static func random() -> X25519KeyPair {
        X25519KeyPair(memory: SecretBytes(count: 64) { randombytes_buf($0.bytePointer, 32) })
    }

    /// Returns 64 bytes: the secret shared with the owner of `peer`, and 32 zero bytes as room for derived keys.
    ///
    /// The shared secret overwrites the pair's own secret. Returns `nil` if `peer` does not have 32 bytes, or is a
    /// point of small order, with which the shared secret would be zero.
    package consuming func sharedSecret(with peer: [UInt8]) -> SecretBytes? {
        guard peer.count == 32 else { return nil }
        var memory = memory
        let isAgreed = memory.withMutableBytes { memory in
            let secret = UnsafeMutableRawBufferPointer(rebasing: memory[..<32])
            let shared = UnsafeMutableRawBufferPointer(rebasing: memory[32...])
            let isAgreed = crypto_scalarmult_curve25519(shared.bytePointer, secret.bytePointer, peer) == 0
            secret.copyMemory(from: UnsafeRawBufferPointer(shared))
            sodium_memzero(shared.bytePointer, shared.count)
            return isAgreed
        }
        guard isAgreed else { return nil }
        return memory
    }
}
