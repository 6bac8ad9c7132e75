/// Pair-setup on the controller's side.
///
/// ``start()`` returns M1; the body of each response is passed to ``receive(_:)``. A failure is final.
///
/// Implementations differ in how they hash a public key B that begins with a zero byte, one in 256. For such a key, M1
/// is sent again, at most ``maximumKeyAttempts`` times, and the accessory generates another one.
///
/// HAP: §6
package struct PairSetupController: ~Copyable {
    /// The next action of the caller.
    package enum Action: Equatable, Sendable {
        /// Post this body to `/pair-setup`.
        case send([UInt8])
        /// Run this on another thread and pass the result to `didCompute`.
        case compute(SRPComputation)
        /// Store this pairing: pair-setup has succeeded.
        case finished(AccessoryPairing)
        /// Stop: the pairing has failed.
        case failed(PairingFailure)
    }

    /// Contains only references, so a noncopyable state that is consumed would gain nothing.
    private enum State {
        case idle
        /// The associated value is the number of the requested key, starting at 1.
        case awaitingKey(Int)
        case computing
        case awaitingProof(SRPAgreement)
        case awaitingExchange(SRPAgreement)
        case finished
    }

    /// The computation of the response to the accessory's key and salt.
    package typealias Prover =
        @Sendable (_ serverKey: [UInt8], _ salt: [UInt8], _ code: SetupCode) -> SRPClient.Response?

    /// The maximum number of public keys that are requested from an accessory.
    ///
    /// The last one is used whatever it is.
    package static let maximumKeyAttempts = 4

    private let identity: ControllerIdentity
    private let code: SetupCode
    private let prover: Prover
    private var state = State.idle

    /// Creates a machine that has sent nothing.
    ///
    /// Pass another `prover` only if the secret a must be known.
    package init(
        identity: ControllerIdentity,
        code: SetupCode,
        prover: @escaping Prover = { SRPClient.response(serverKey: $0, salt: $1, code: $2) }
    ) {
        self.identity = identity
        self.code = code
        self.prover = prover
    }

    /// Returns M1.
    package mutating func start() -> Action {
        switch state {
        case .idle: break
        case .awaitingKey, .computing, .awaitingProof, .awaitingExchange, .finished:
            preconditionFailure("pair-setup has been started")
        }
        return requestKey(attempt: 1)
    }

    /// The number of the message that awaits its response: 1, 3 or 5; `nil` if there is none.
    ///
    /// From 5 on, the accessory may have stored the pairing, even if its response says otherwise.
    package var pendingMessageNumber: Int? {
        switch state {
        case .awaitingKey: 1
        case .awaitingProof: 3
        case .awaitingExchange: 5
        case .idle, .computing, .finished: nil
        }
    }

    /// Handles the body of the accessory's response.
    package mutating func receive(_ body: [UInt8]) -> Action {
        let current = state
        state = .finished
        do throws(PairingFailure) {
            switch current {
            case .awaitingKey(let number): return try prove(body, attempt: number)
            case .awaitingProof(let agreement): return try exchange(body, agreement)
            case .awaitingExchange(let agreement): return try finish(body, agreement)
            case .idle, .computing, .finished: preconditionFailure("pair-setup has asked the accessory nothing")
            }
        } catch {
            return .failed(error)
        }
    }

    /// Handles the result of the requested computation.
    package mutating func didCompute(_ result: SRPComputation.Result) -> Action {
        guard case .computing = state, case .clientResponse(let response) = result else {
            preconditionFailure("pair-setup has not asked for this computation")
        }
        guard let response else {
            state = .finished
            return .failed(.invalid(ProtocolError(.authentication, "the key is a multiple of N", at: "pair-setup M2")))
        }
        state = .awaitingProof(response.agreement)
        var writer = TLV8Writer.message(3)
        writer.write(response.publicKey, .publicKey)
        writer.write(response.proof, .proof)
        return .send(writer.bytes)
    }
}

// MARK: - Messages

extension PairSetupController {
    private mutating func requestKey(attempt number: Int) -> Action {
        state = .awaitingKey(number)
        var writer = TLV8Writer.message(1)
        writer.write(PairingMethod.pairSetup.rawValue, .method)
        return .send(writer.bytes)
    }

    /// Handles M2.
    private mutating func prove(_ body: [UInt8], attempt number: Int) throws(PairingFailure) -> Action {
        let message = try PairingResponseReader.read(body, state: 2, at: "pair-setup M2")
        let (serverKey, salt) = try PairingResponseReader.mappingErrors { () throws(ProtocolError) in
            // hap's own salt has 16 bytes. An accessory that treats the salt as a number may send fewer.
            (try message.srpPublicKey(), try message.bytes(.salt, size: 1...64))
        }
        let isAmbiguous = serverKey.count < SRPGroup.elementLength || serverKey.first == 0
        if isAmbiguous, number < Self.maximumKeyAttempts { return requestKey(attempt: number + 1) }
        state = .computing
        return .compute(
            SRPComputation(.clientResponse) { [prover, code] in .clientResponse(prover(serverKey, salt, code)) }
        )
    }

    /// Handles M4 and returns M5.
    private mutating func exchange(_ body: [UInt8], _ agreement: SRPAgreement) throws(PairingFailure) -> Action {
        let message = try PairingResponseReader.read(body, state: 4, at: "pair-setup M4")
        let proof = try PairingResponseReader.mappingErrors { () throws(ProtocolError) in try message.proof() }
        guard ConstantTime.areEqual(proof, agreement.serverProof) else {
            throw .invalid(ProtocolError(.authentication, "the accessory's proof is wrong", at: "pair-setup M4"))
        }
        let credentials = PairSetupSecrets.sign(
            identifier: identity.identifier.bytes,
            with: identity.signingKey,
            .pairSetupControllerSignature,
            agreement
        )
        state = .awaitingExchange(agreement)
        var writer = TLV8Writer.message(5)
        writer.write(PairSetupSecrets.seal(credentials, .setupM5, agreement), .encryptedData)
        return .send(writer.bytes)
    }

    /// Handles M6.
    private func finish(_ body: [UInt8], _ agreement: SRPAgreement) throws(PairingFailure) -> Action {
        let location = "pair-setup M6"
        let message = try PairingResponseReader.read(body, state: 6, at: location)
        return try PairingResponseReader.mappingErrors { () throws(ProtocolError) in
            guard let opened = PairSetupSecrets.open(try message.encryptedData(), .setupM6, agreement) else {
                throw ProtocolError(.authentication, "a tag is wrong", at: location)
            }
            let content = try TLV8Message(opened, at: location)
            let credentials = PairSetupSecrets.Credentials(
                identifier: try content.bytes(.identifier, size: 1...255),
                publicKey: try content.longTermKey(),
                signature: try content.signature()
            )
            guard PairSetupSecrets.isValid(credentials, .pairSetupAccessorySignature, agreement) else {
                throw ProtocolError(.authentication, "the accessory's signature is wrong", at: location)
            }
            let pairing = AccessoryPairing(identifier: credentials.identifier, publicKey: credentials.publicKey)
            guard let pairing else { throw ProtocolError(.tlv, "identifier is not 1 to 255 bytes", at: location) }
            return .finished(pairing)
        }
    }
}
