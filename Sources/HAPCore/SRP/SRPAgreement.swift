/// What both sides hold once a proof was accepted: the session key K, and the proof that travels back.
///
/// A class because the key is held once; nothing in it ever changes.
///
/// HAP: §6.1
package final class SRPAgreement: Sendable {
    /// 64 bytes.
    package let sessionKey: SecretBytes
    /// M2: the proof that the accessory sends, and that the controller expects.
    package let serverProof: [UInt8]

    init(sessionKey: consuming SecretBytes, serverProof: [UInt8]) {
        self.sessionKey = sessionKey
        self.serverProof = serverProof
    }
}

extension SRPAgreement: CustomStringConvertible {
    /// Never the key.
    package var description: String {
        "SRP agreement (hidden)"
    }
}
