import FuzzHarness
import HAPCore
import TestSupport

/// The exponentiations of pair-setup, which are computed only once: those of the test vectors, and those for a wrong
/// code.
struct SetupComputations: Sendable {
    let serverKey: SRPServerKey
    /// A key pair that must not be used, because its public key begins with a zero byte.
    let unusableServerKey: SRPServerKey
    let publicKey: [UInt8]
    /// The response of a controller with the correct code to ``publicKey``.
    let response: SRPClient.Response
    /// The response of a controller with another code.
    let wrongAnswer: SRPClient.Response
    /// The accessory's result for ``response``.
    let agreement: SRPAgreement

    static let all = SetupComputations()

    static let wrongCode = Fixture.setupCode("518-08-582")

    private init() {
        let vector = Vectors.all.srp["plain"]
        let verifier = Fixture.verifier
        serverKey = SRPServerKey(secret: SecretBytes(hex: vector.b))
        unusableServerKey = SRPServerKey(secret: SecretBytes(hex: Vectors.all.srp["B-leading-zero"].b))
        let publicKey = serverKey.publicKey(for: verifier)
        self.publicKey = publicKey
        func response(_ code: SetupCode) -> SRPClient.Response {
            let secret = SecretBytes(hex: vector.a)
            let response = SRPClient.response(
                serverKey: publicKey,
                salt: verifier.salt,
                password: code.text,
                secret: secret
            )
            guard let response else { preconditionFailure("the key of the vectors can be computed with") }
            return response
        }
        self.response = response(Fixture.setupCode)
        wrongAnswer = response(Self.wrongCode)
        let agreement = SRPServer.agreement(
            clientKey: self.response.publicKey,
            clientProof: self.response.proof,
            serverKey: serverKey,
            verifier: verifier
        )
        guard let agreement else { preconditionFailure("the proof of the vectors holds") }
        self.agreement = agreement
    }

    /// Returns the proof of a controller.
    @Sendable
    static func prove(_ serverKey: [UInt8], _ salt: [UInt8], _ code: SetupCode) -> SRPClient.Response? {
        guard serverKey == all.publicKey, salt == Fixture.verifier.salt else {
            return serverKey.first == 0 ? nil : all.wrongAnswer
        }
        return code == Fixture.setupCode ? all.response : all.wrongAnswer
    }

    /// Returns the accessory's result for an M3.
    func agreement(for message: [UInt8]) -> SRPAgreement? {
        guard let message = try? TLV8Message(message, at: "fuzz"), message[.publicKey] == response.publicKey,
            message[.proof] == response.proof
        else { return nil }
        return agreement
    }

    /// Changes the encrypted content of M5 or M6, as an owner of the setup code could; returns `nil` for any other
    /// message.
    func changingContent(of message: [UInt8], by mutation: Mutation, _ forgeries: inout Forgeries) -> [UInt8]? {
        guard let items = try? TLV8Message(message, at: "fuzz"), let state = try? items.state(),
            let ciphertext = try? items.encryptedData()
        else { return nil }
        let label = state == 5 ? PairingLabel.setupM5 : .setupM6
        let key = HKDF.key(for: .pairSetupMessages, from: agreement.sessionKey)
        return forgeries.sealAnew(ciphertext, label, key: key, by: mutation)
            .map { PairingMessages.message((.state, [state]), (.encryptedData, $0)) }
    }
}
