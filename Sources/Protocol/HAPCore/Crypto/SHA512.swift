internal import CSodium

/// SHA-512 over bytes that are fed in any number of pieces.
///
/// The state is wiped when the hash is finished, because the input may have been secret.
package struct SHA512: ~Copyable {
    package static let digestLength = 64

    private var state = crypto_hash_sha512_state()

    package init() {
        Sodium.initialize()
        crypto_hash_sha512_init(&state)
    }

    /// Feeds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        crypto_hash_sha512_update(&state, bytes.bytePointer, UInt64(bytes.count))
    }

    /// Feeds bytes.
    package mutating func update(_ bytes: [UInt8]) {
        crypto_hash_sha512_update(&state, bytes, UInt64(bytes.count))
    }

    /// Feeds a secret.
    package mutating func update(_ secret: borrowing SecretBytes) {
        secret.withBytes { update($0) }
    }

    /// Writes the 64-byte digest into `target`.
    package consuming func finish(into target: UnsafeMutableRawBufferPointer) {
        precondition(target.count == Self.digestLength, "a SHA-512 digest has 64 bytes")
        crypto_hash_sha512_final(&state, target.bytePointer)
        sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }

    /// Returns the digest, if it need not stay secret.
    package consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.digestLength)
        crypto_hash_sha512_final(&state, &digest)
        sodium_memzero(&state, MemoryLayout.size(ofValue: state))
        return digest
    }

    /// Returns the digest of public bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA512()
        hash.update(bytes)
        return hash.finish()
    }
}
