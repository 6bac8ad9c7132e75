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
}
