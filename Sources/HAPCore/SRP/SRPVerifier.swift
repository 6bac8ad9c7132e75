internal import CSodium

/// Salt and verifier of a setup code, with which an accessory proves pair-setup.
///
/// A class because the verifier is a secret that is held once; nothing in it ever changes.
///
/// HAP: §6.1
public final class SRPVerifier: Sendable {
    /// 16 bytes of which the first is not zero.
    package let salt: [UInt8]
    /// 384 bytes, big-endian.
    package let verifier: SecretBytes

    /// Takes a kept salt and verifier, `nil` when they do not have 16 and 384 bytes.
    package init?(salt: [UInt8], verifier: consuming SecretBytes) {
        guard salt.count == 16, verifier.count == 384 else { return nil }
        self.salt = salt
        self.verifier = verifier
    }

    /// Computes the verifier of a setup code with a fresh salt.
    ///
    /// Takes about a millisecond.
    ///
    /// The salt's first byte is not zero, since some controllers take the salt for a number.
    package static func make(code: SetupCode) -> SRPVerifier {
        var salt = [UInt8](repeating: 0, count: 16)
        Sodium.initialize()
        while salt.first == 0 {
            randombytes_buf(&salt, salt.count)
        }
        guard let verifier = make(code: code, salt: salt) else { preconditionFailure("a salt has 16 bytes") }
        return verifier
    }

    /// Computes the verifier of a setup code with this salt, `nil` when it does not have 16 bytes.
    ///
    /// Takes about a millisecond.
    package static func make(code: SetupCode, salt: [UInt8]) -> SRPVerifier? {
        make(userName: SRPHash.userName, password: code.text, salt: salt)
    }

    /// `v = g ^ x mod N` for any user.
    package static func make(userName: String, password: String, salt: [UInt8]) -> SRPVerifier? {
        let group = SRPGroup.standard
        let privateKey = SRPHash.privateKey(userName: userName, password: password, salt: salt)
        let verifier = group.power(group.generator, BigNumber(privateKey), BigNumberScratch())
        return SRPVerifier(
            salt: salt,
            verifier: SecretBytes(count: SRPGroup.width) { verifier.write(into: $0) }
        )
    }
}

extension SRPVerifier: CustomStringConvertible {
    /// Never the salt or the verifier.
    public var description: String {
        "SRP verifier (hidden)"
    }
}
