/// The accessory's side of SRP-6a.
///
/// HAP: §6.1
package enum SRPServer {
    /// Returns whether a controller's public key is valid, that is, not a multiple of N.
    package static func isAcceptable(clientKey: [UInt8]) -> Bool {
        SRPGroup.standard.element(clientKey, BigNumberContext()) != nil
    }

    /// Checks a controller's proof; `nil` if the proof is wrong or the controller's key is a multiple of N.
    ///
    /// Controllers differ in whether they hash S and A padded or trimmed if one begins with a zero byte. So up to four
    /// proofs are accepted, and the session key is that of the matching one.
    package static func agreement(
        clientKey: [UInt8],
        clientProof: [UInt8],
        serverKey: SRPServerKey,
        verifier: SRPVerifier,
        userName: String = "Pair-Setup"
    ) -> SRPAgreement? {
        let group = SRPGroup.standard
        let scratch = BigNumberContext()
        guard let client = group.element(clientKey, scratch) else { return nil }
        let publicKey = serverKey.publicKey(for: verifier)
        let scramble = SRPHash.scramblingParameter(clientKey: clientKey, serverKey: publicKey)
        let blinded = group.product(client, serverKey.power(of: verifier, scramble), scratch)
        let shared = group.power(blinded, BigNumber(serverKey.secret), scratch)
        let premaster = SecretBytes(count: SRPGroup.elementLength) { shared.write(into: $0) }

        let trimmedKey = premaster.withBytes { SRPHash.sessionKey(UnsafeRawBufferPointer(rebasing: $0.trimmed)) }
        let paddedKey = premaster.withBytes { SRPHash.sessionKey($0) }
        let sentKeys = [Array(SRPHash.trimmed(clientKey)), SRPHash.padded(clientKey)]

        func matches(_ sessionKey: borrowing SecretBytes) -> Bool {
            var isMatch = false
            for sentKey in sentKeys {
                let expected = SRPHash.clientProof(
                    userName: userName,
                    salt: verifier.salt,
                    clientKey: sentKey,
                    serverKey: publicKey,
                    sessionKey: sessionKey
                )
                // Compared before the results are combined, so that a match does not skip the second comparison.
                let isEqual = ConstantTime.areEqual(expected, clientProof)
                isMatch = isEqual || isMatch
            }
            return isMatch
        }

        let isTrimmed = matches(trimmedKey)
        let isPadded = matches(paddedKey)
        guard isTrimmed || isPadded else { return nil }
        let sessionKey = isTrimmed ? trimmedKey : paddedKey
        let proof = SRPHash.serverProof(clientKey: clientKey, clientProof: clientProof, sessionKey: sessionKey)
        return SRPAgreement(sessionKey: sessionKey, serverProof: proof)
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes without leading zeros.
    var trimmed: Slice<UnsafeRawBufferPointer> {
        drop { $0 == 0 }
    }
}

/// An accessory's key pair for one pair-setup: the secret b and `g ^ b mod N`.
///
/// Generating a pair takes about half a millisecond, so a server may prepare one in advance, together with powers of
/// its verifier that make checking the proof cheaper. Each pair is used once.
///
/// HAP: §6.1
package final class SRPServerKey: Sendable {
    let secret: SecretBytes
    /// The 384 bytes of `g ^ b mod N`.
    ///
    /// They are also secret: together with B, they reveal the verifier.
    private let generatorPower: SecretBytes
    private let verifierPowers: SRPVerifierPowers?

    /// Computes the pair for a secret b.
    package init(secret: consuming SecretBytes, verifierPowers: SRPVerifierPowers? = nil) {
        let group = SRPGroup.standard
        let power = group.power(group.generator, BigNumber(secret), BigNumberContext())
        self.generatorPower = SecretBytes(count: SRPGroup.elementLength) { power.write(into: $0) }
        self.secret = secret
        self.verifierPowers = verifierPowers
    }

    /// Generates a pair with 32 random bytes for b.
    package static func random(verifierPowers: SRPVerifierPowers? = nil) -> SRPServerKey {
        SRPServerKey(secret: .random(count: 32), verifierPowers: verifierPowers)
    }

    /// Returns `v ^ u mod N` for u of 64 bytes; uses the prepared powers if they are this verifier's.
    func power(of verifier: SRPVerifier, _ scramble: [UInt8]) -> BigNumber {
        if let verifierPowers, verifierPowers.verifier === verifier {
            return verifierPowers.power(scramble)
        }
        return SRPGroup.standard.power(BigNumber(verifier.verifier), BigNumber(scramble), BigNumberContext())
    }

    /// Returns `B = k·v + g ^ b mod N` in 384 bytes.
    ///
    /// In one of 256 cases, B begins with a zero byte, which implementations handle differently. Such a pair must not
    /// be used.
    package func publicKey(for verifier: SRPVerifier) -> [UInt8] {
        let group = SRPGroup.standard
        let masked = group.multipliedByK(BigNumber(verifier.verifier), BigNumberContext())
        return group.sum(masked, BigNumber(generatorPower)).bytes(count: SRPGroup.elementLength)
    }
}

extension SRPServerKey: CustomStringConvertible {
    /// A fixed text without the key.
    package var description: String {
        "SRP server key (hidden)"
    }
}
