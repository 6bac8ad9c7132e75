/// Pair-verify as a controller runs it.
///
/// HAP: §7
package struct PairVerifyController: ~Copyable {
    /// The next action of the caller.
    package enum Action: Equatable, Sendable {
        /// Post this body to `/pair-verify`.
        case send([UInt8])
        /// Use encrypted frames with these keys from now on.
        case finished(SessionKeys)
        /// Stop and close the connection: pair-verify has failed.
        case failed(PairingFailure)
    }

    private enum State: ~Copyable {
        case idle
        case awaitingKey(X25519KeyPair)
        case awaitingAcceptance(PairVerifySecrets)
        case finished
    }

    /// The error for an accessory with another identifier than that of the pairing.
    package static let identifierMismatch = ProtocolError(
        .authentication,
        "another accessory answered",
        at: "pair-verify M2"
    )
    /// The error for an accessory that does not have the long-term key of the pairing.
    package static let signatureMismatch = ProtocolError(
        .authentication,
        "the accessory's signature is wrong",
        at: "pair-verify M2"
    )

    private let identity: ControllerIdentity
    private let accessory: AccessoryPairing
    private let state: State

    /// Creates a machine that has sent nothing.
    package init(identity: ControllerIdentity, accessory: AccessoryPairing) {
        self.init(identity, accessory, .idle)
    }

    private init(_ identity: ControllerIdentity, _ accessory: AccessoryPairing, _ state: consuming State) {
        self.identity = identity
        self.accessory = accessory
        self.state = state
    }

    /// Returns M1, with a new ephemeral key pair.
    package mutating func start(ephemeral: consuming X25519KeyPair) -> Action {
        switch state {
        case .idle: break
        case .awaitingKey: preconditionFailure("pair-verify has been started")
        case .awaitingAcceptance: preconditionFailure("pair-verify has been started")
        case .finished: preconditionFailure("pair-verify has been started")
        }
        var writer = TLV8Writer.message(1)
        writer.write(ephemeral.publicKey, .publicKey)
        self = Self(identity, accessory, .awaitingKey(ephemeral))
        return .send(writer.bytes)
    }

    /// Handles the body of the accessory's response.
    package mutating func receive(_ body: [UInt8]) -> Action {
        do throws(PairingFailure) {
            switch consume state {
            case .awaitingKey(let ephemeral):
                self = Self(identity, accessory, .finished)
                return try finish(body, ephemeral)
            case .awaitingAcceptance(let secrets):
                self = Self(identity, accessory, .finished)
                _ = try PairingResponseReader.read(body, state: 4, at: "pair-verify M4")
                return .finished(secrets.sessionKeys(role: .controller))
            case .idle:
                preconditionFailure("pair-verify has asked the accessory nothing")
            case .finished:
                preconditionFailure("pair-verify has asked the accessory nothing")
            }
        } catch {
            return .failed(error)
        }
    }

    /// Handles M2 and returns M3.
    private mutating func finish(
        _ body: [UInt8],
        _ ephemeral: consuming X25519KeyPair
    ) throws(PairingFailure) -> Action {
        let location = "pair-verify M2"
        let message = try PairingResponseReader.read(body, state: 2, at: location)
        let (accessoryKey, ciphertext) = try PairingResponseReader.mappingErrors { () throws(ProtocolError) in
            (try message.ephemeralKey(), try message.encryptedData())
        }
        let controllerKey = ephemeral.publicKey
        guard let secrets = PairVerifySecrets(ephemeral, peer: accessoryKey) else {
            throw .invalid(ProtocolError(.authentication, "the accessory's key is of small order", at: location))
        }
        guard let opened = secrets.open(ciphertext, .verifyM2) else {
            throw .invalid(ProtocolError(.authentication, "a tag is wrong", at: location))
        }
        try PairingResponseReader.mappingErrors { () throws(ProtocolError) in
            let content = try TLV8Message(opened, at: location)
            let identifier = try content.bytes(.identifier, size: 1...255)
            let signature = try content.signature()
            guard identifier == accessory.identifier else { throw Self.identifierMismatch }
            guard accessory.publicKey.isValidSignature(signature, of: accessoryKey + identifier + controllerKey) else {
                throw Self.signatureMismatch
            }
        }

        let identifier = identity.identifier.bytes
        var content = TLV8Writer()
        content.write(identifier, .identifier)
        content.write(identity.signingKey.signature(of: controllerKey + identifier + accessoryKey), .signature)
        var writer = TLV8Writer.message(3)
        writer.write(secrets.seal(content.bytes, .verifyM3), .encryptedData)
        self = Self(identity, accessory, .awaitingAcceptance(secrets))
        return .send(writer.bytes)
    }
}
