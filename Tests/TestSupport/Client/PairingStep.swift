package import HAPCore

/// A point in a pairing exchange of ``HAPClient``, independent of the machines of the product.
package enum PairingStep<Outcome> {
    /// Post a message; `next` receives the body of the response.
    case post([UInt8], next: (_ response: [UInt8]) throws -> PairingStep)
    case finished(Outcome)
}

extension PairingStep<FrameCodec> {
    /// Starts pair-verify, which gives the frames of the session.
    ///
    /// The steps throw `PairingFailure` when the accessory refuses, and `ProtocolError` when it breaks the protocol.
    ///
    /// HAP: §7
    package static func verify(as controller: ControllerIdentity, of accessory: AccessoryPairing) -> PairingStep {
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let ephemeralKey = X25519KeyPair(secret: SecretBytes(copying: secret)).publicKey
        return .post(PairingMessages.message((.state, [1]), (.publicKey, ephemeralKey))) { response in
            let response = try PairingReader(response, state: 2, of: "pair-verify")
            let accessoryKey = try response[.publicKey]
            let keyPair = X25519KeyPair(secret: SecretBytes(copying: secret))
            guard let shared = keyPair.sharedSecret(with: accessoryKey)?.withBytes({ Array($0.prefix(32)) }) else {
                throw response.failure("the ephemeral key is of no use")
            }
            let key = AEAD.key(from: shared, salt: "Pair-Verify-Encrypt-Salt", info: "Pair-Verify-Encrypt-Info")
            let proof = try response.opened("PV-Msg02", key: key)
            guard try proof[.identifier] == accessory.identifier else {
                throw response.failure("the identifier is wrong")
            }
            let signed = accessoryKey + accessory.identifier + ephemeralKey
            guard accessory.publicKey.isValidSignature(try proof[.signature], of: signed) else {
                throw response.failure("the signature is wrong")
            }
            let identifier = controller.identifier.bytes
            let signature = controller.signingKey.signature(of: ephemeralKey + identifier + accessoryKey)
            let sealed = AEAD.seal(
                PairingMessages.message((.identifier, identifier), (.signature, signature)),
                nonce: AEAD.nonce("PV-Msg03"),
                key: key
            )
            return .post(PairingMessages.message((.state, [3]), (.encryptedData, sealed))) { response in
                _ = try PairingReader(response, state: 4, of: "pair-verify")
                return .finished(FrameCodec(sharedSecret: shared))
            }
        }
    }
}

extension PairingStep<AccessoryPairing> {
    /// Starts pair-setup, which gives the pairing.
    ///
    /// The steps throw `PairingFailure` when the accessory refuses, and `ProtocolError` when it breaks the protocol.
    ///
    /// HAP: §6
    package static func setUp(as controller: ControllerIdentity, code: SetupCode) -> PairingStep {
        .post(PairingMessages.message((.state, [1]), (.method, [0]))) { response in
            let response = try PairingReader(response, state: 2, of: "pair-setup")
            let proof = SRPClient.response(serverKey: try response[.publicKey], salt: try response[.salt], code: code)
            guard let proof else { throw response.failure("the public key is of no use") }
            let message = PairingMessages.message((.state, [3]), (.publicKey, proof.publicKey), (.proof, proof.proof))
            return .post(message) { response in
                let response = try PairingReader(response, state: 4, of: "pair-setup")
                guard try response[.proof] == proof.agreement.serverProof else {
                    throw response.failure("the proof is wrong")
                }
                return exchange(as: controller, sessionKey: proof.agreement.sessionKey.withBytes { Array($0) })
            }
        }
    }

    /// Returns the step for M5 and M6, in which both sides sign their long-term keys.
    private static func exchange(as controller: ControllerIdentity, sessionKey: [UInt8]) -> PairingStep {
        func key(_ name: String) -> [UInt8] {
            AEAD.key(from: sessionKey, salt: "Pair-Setup-\(name)-Salt", info: "Pair-Setup-\(name)-Info")
        }
        let (identifier, publicKey) = (controller.identifier.bytes, controller.publicKey.bytes)
        let signature = controller.signingKey.signature(of: key("Controller-Sign") + identifier + publicKey)
        let sealed = AEAD.seal(
            PairingMessages.message((.identifier, identifier), (.publicKey, publicKey), (.signature, signature)),
            nonce: AEAD.nonce("PS-Msg05"),
            key: key("Encrypt")
        )
        return .post(PairingMessages.message((.state, [5]), (.encryptedData, sealed))) { response in
            let response = try PairingReader(response, state: 6, of: "pair-setup")
            let accessory = try response.opened("PS-Msg06", key: key("Encrypt"))
            let (identifier, bytes) = (try accessory[.identifier], try accessory[.publicKey])
            guard let publicKey = Ed25519PublicKey(bytes),
                publicKey.isValidSignature(try accessory[.signature], of: key("Accessory-Sign") + identifier + bytes),
                let pairing = AccessoryPairing(identifier: identifier, publicKey: publicKey)
            else { throw response.failure("the signature is wrong") }
            return .finished(pairing)
        }
    }
}

/// An accessory's pairing message.
private struct PairingReader {
    private let message: TLV8Message

    /// Decodes a response, which must contain a state and no error.
    init(_ bytes: [UInt8], state: UInt8, of exchange: String) throws {
        try self.init(bytes, at: "\(exchange) M\(state)")
        if let error = PairingMessages.error(of: bytes) { throw PairingFailure.refused(error) }
        guard try self[.state] == [state] else { throw failure("the number is another one") }
    }

    private init(_ bytes: [UInt8], at location: String) throws {
        message = try TLV8Message(bytes, at: location)
    }

    subscript(type: TLVType) -> [UInt8] {
        get throws {
            guard let value = message[type] else { throw failure("\(type) is missing") }
            return value
        }
    }

    /// Decrypts the encrypted item, and returns the message in it.
    func opened(_ nonce: String, key: [UInt8]) throws -> PairingReader {
        guard let content = AEAD.open(try self[.encryptedData], nonce: AEAD.nonce(nonce), key: key) else {
            throw failure("the tag is wrong")
        }
        return try PairingReader(content, at: message.location)
    }

    func failure(_ reason: String) -> ProtocolError {
        ProtocolError(.authentication, reason, at: message.location)
    }
}
