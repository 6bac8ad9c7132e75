/// The hashes of SRP-6a as HAP uses them.
///
/// HAP: §6.1
enum SRPHash {
    /// The user name of every pair-setup.
    static let userName = "Pair-Setup"

    /// `x = H(salt ‖ H(user ‖ ":" ‖ password))`.
    static func privateKey(userName: String, password: String, salt: [UInt8]) -> SecretBytes {
        SecretBytes(count: SHA512.digestLength) { digest in
            var inner = SHA512()
            inner.update(Array(userName.utf8))
            inner.update([UInt8(ascii: ":")])
            inner.update(Array(password.utf8))
            inner.finish(into: digest)
            var outer = SHA512()
            outer.update(salt)
            outer.update(UnsafeRawBufferPointer(digest))
            outer.finish(into: digest)
        }
    }

    /// `u = H(PAD(A) ‖ PAD(B))`.
    static func scramble(clientKey: [UInt8], serverKey: [UInt8]) -> [UInt8] {
        var hash = SHA512()
        hash.update(padded(clientKey))
        hash.update(padded(serverKey))
        return hash.finish()
    }

    /// `K = H(S)`.
    ///
    /// The caller decides whether S is padded or trimmed.
    static func sessionKey(_ premaster: UnsafeRawBufferPointer) -> SecretBytes {
        SecretBytes(count: SHA512.digestLength) { digest in
            var hash = SHA512()
            hash.update(premaster)
            hash.finish(into: digest)
        }
    }

    /// `M1 = H((H(N) xor H(g)) ‖ H(user) ‖ salt ‖ A ‖ B ‖ K)`.
    ///
    /// The caller decides whether A is padded or trimmed; B is trimmed.
    static func clientProof(
        userName: String,
        salt: [UInt8],
        clientKey: some Collection<UInt8>,
        serverKey: [UInt8],
        sessionKey: borrowing SecretBytes
    ) -> [UInt8] {
        var hash = SHA512()
        hash.update(SRPGroup.standard.proofPrefix)
        hash.update(SHA512.hash(Array(userName.utf8)))
        hash.update(salt)
        hash.update(Array(clientKey))
        hash.update(Array(trimmed(serverKey)))
        hash.update(sessionKey)
        return hash.finish()
    }

    /// `M2 = H(PAD(A) ‖ M1 ‖ K)`.
    static func serverProof(
        clientKey: [UInt8],
        clientProof: [UInt8],
        sessionKey: borrowing SecretBytes
    ) -> [UInt8] {
        var hash = SHA512()
        hash.update(padded(clientKey))
        hash.update(clientProof)
        hash.update(sessionKey)
        return hash.finish()
    }

    /// PAD: zeros in front up to 384 bytes.
    static func padded(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, SRPGroup.width - number.count)) + number
    }

    /// TRIM: without the zeros in front.
    static func trimmed(_ number: [UInt8]) -> ArraySlice<UInt8> {
        number.drop { $0 == 0 }
    }
}
