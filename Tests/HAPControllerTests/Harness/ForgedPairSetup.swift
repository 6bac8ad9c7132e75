import HAPCore
import TestSupport

/// An accessory's side of pair-setup whose M6 is signed with a key other than the one that it contains.
struct ForgedPairSetup {
    private let key = SRPServerKey.random()
    private var agreement: SRPAgreement?

    /// Returns the response to a message.
    mutating func response(to body: [UInt8]) throws -> [UInt8] {
        let message = try TLV8Message(body, at: "test")
        switch message[.state] {
        case [1]:
            return PairingMessages.message(
                (.state, [2]),
                (.publicKey, key.publicKey(for: Fixture.verifier)),
                (.salt, Fixture.verifier.salt)
            )
        case [3]:
            let agreement = SRPServer.agreement(
                clientKey: message[.publicKey] ?? [],
                clientProof: message[.proof] ?? [],
                serverKey: key,
                verifier: Fixture.verifier
            )
            self.agreement = agreement
            return PairingMessages.message((.state, [4]), (.proof, agreement?.serverProof ?? []))
        default:
            guard let agreement else { throw TestFailure("M5 came first") }
            let content = PairingMessages.message(
                (.identifier, Array(Fixture.accessory.deviceID.text.utf8)),
                (.publicKey, Fixture.accessory.publicKey.bytes),
                (.signature, [UInt8](repeating: 7, count: 64))
            )
            let key = HKDF.key(for: .pairSetupMessages, from: agreement.sessionKey).withBytes { Array($0) }
            return PairingMessages.message(state: 6, sealing: content, .setupM6, key: key)
        }
    }
}
