/// An accessory's key pair for one pair-setup: the secret b and `g ^ b mod N`.
///
/// Making one takes about half a millisecond, so that a server may keep one prepared, with powers of its verifier that
/// make the proof cheaper to check. Each is used once.
///
/// HAP: §6.1
package final class SRPServerKey: Sendable {
    let secret: SecretBytes
    /// 384 bytes.
    ///
    /// A secret too: with B it tells the verifier.
    private let power: SecretBytes
    private let verifierPowers: SRPVerifierPowers?

    /// Makes the pair of a secret b.
    package init(secret: consuming SecretBytes, verifierPowers: SRPVerifierPowers? = nil) {
        let group = SRPGroup.standard
        let power = group.power(group.generator, BigNumber(secret), BigNumberScratch())
        self.power = SecretBytes(count: SRPGroup.width) { power.write(into: $0) }
        self.secret = secret
        self.verifierPowers = verifierPowers
    }

    /// Draws 32 random bytes for b.
    package static func random(verifierPowers: SRPVerifierPowers? = nil) -> SRPServerKey {
        SRPServerKey(secret: .random(count: 32), verifierPowers: verifierPowers)
    }

    /// `v ^ u mod N` for u of 64 bytes, with the prepared powers when they are this verifier's.
    func power(of verifier: SRPVerifier, _ scramble: [UInt8]) -> BigNumber {
        if let verifierPowers, verifierPowers.verifier === verifier {
            return verifierPowers.power(scramble)
        }
        return SRPGroup.standard.power(BigNumber(verifier.verifier), BigNumber(scramble), BigNumberScratch())
    }

    /// `B = k·v + g ^ b mod N` in 384 bytes.
    ///
    /// One in 256 begins with a zero byte, about which implementations differ; such a pair must not be used.
    package func publicKey(for verifier: SRPVerifier) -> [UInt8] {
        let group = SRPGroup.standard
        let masked = group.multiplied(BigNumber(verifier.verifier), BigNumberScratch())
        return group.sum(masked, BigNumber(power)).bytes(count: SRPGroup.width)
    }
}

extension SRPServerKey: CustomStringConvertible {
    /// Never the key.
    package var description: String {
        "SRP server key (hidden)"
    }
}
