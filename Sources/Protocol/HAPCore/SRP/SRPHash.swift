/// The hashes of SRP-6a as HAP uses them.
///
/// HAP: §6.1
enum SRPHash {
    /// The user name of every pair-setup.
    static let userName = "Pair-Setup"

    /// Returns `x = H(salt ‖ H(user ‖ ":" ‖ password))`.
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

    /// Returns `u = H(PAD(A) ‖ PAD(B))`.
    static func scramblingParameter(clientKey: [UInt8], serverKey: [UInt8]) -> [UInt8] {
        var hash = SHA512()
        hash.update(padded(clientKey))
        hash.update(padded(serverKey))
        return hash.finish()
    }

    /// Returns `K = H(S)`.
    ///
    /// The caller decides whether S is padded or trimmed.
    static func sessionKey(_ premaster: UnsafeRawBufferPointer) -> SecretBytes {
        SecretBytes(count: SHA512.digestLength) { digest in
            var hash = SHA512()
            hash.update(premaster)
            hash.finish(into: digest)
        }
    }

    /// Returns `M1 = H((H(N) xor H(g)) ‖ H(user) ‖ salt ‖ A ‖ B ‖ K)`.
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

    /// Returns `M2 = H(PAD(A) ‖ M1 ‖ K)`.
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

    /// Returns a number with leading zeros up to 384 bytes: PAD.
    static func padded(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, SRPGroup.elementLength - number.count)) + number
    }

    /// Returns a number without leading zeros: TRIM.
    static func trimmed(_ number: [UInt8]) -> ArraySlice<UInt8> {
        number.drop { $0 == 0 }
    }
}

/// An expensive computation of pair-setup, which occupies its thread for half a millisecond to four milliseconds.
///
/// A state machine returns a computation and does nothing until it receives the result. Two computations are equal if
/// they are identical.
///
/// HAP: §6.1
package final class SRPComputation: Sendable {
    /// The kinds of computations.
    package enum Kind: Sendable, Hashable {
        /// A key pair of the accessory; one that was prepared in advance can be used instead.
        case serverKey
        /// Whether a controller's proof is correct.
        case serverAgreement
        /// A controller's public key and proof.
        case clientResponse
    }

    /// The result of a computation.
    package enum Result: Sendable {
        /// The accessory's key pair.
        case serverKey(SRPServerKey)
        /// The agreement; `nil` if the controller's proof was wrong.
        case serverAgreement(SRPAgreement?)
        /// The controller's public key and proof; `nil` if the accessory's key is invalid.
        case clientResponse(SRPClient.Response?)
    }

    package let kind: Kind
    private let body: @Sendable () -> Result

    init(_ kind: Kind, _ body: @escaping @Sendable () -> Result) {
        self.kind = kind
        self.body = body
    }

    /// Runs the computation; can be called on any thread.
    package func run() -> Result {
        body()
    }
}

extension SRPComputation: Equatable {
    package static func == (left: SRPComputation, right: SRPComputation) -> Bool {
        left === right
    }
}

extension SRPComputation: CustomStringConvertible {
    /// The kind, without its input.
    package var description: String {
        "SRP computation (\(kind))"
    }
}

/// The shared result of an accepted proof: the session key K, and the proof of the accessory.
///
/// A class, so that the key is stored once; it is immutable.
///
/// HAP: §6.1
package final class SRPAgreement: Sendable {
    /// The session key K, 64 bytes.
    package let sessionKey: SecretBytes
    /// M2: the proof that the accessory sends, and that the controller expects.
    package let serverProof: [UInt8]

    init(sessionKey: consuming SecretBytes, serverProof: [UInt8]) {
        self.sessionKey = sessionKey
        self.serverProof = serverProof
    }
}

extension SRPAgreement: CustomStringConvertible {
    /// A fixed text without the key.
    package var description: String {
        "SRP agreement (hidden)"
    }
}
