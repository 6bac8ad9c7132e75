/// Pair-setup on one connection, on the accessory's side.
///
/// A message of the controller is passed to ``receive(_:pairings:isSlotFree:)``. The machine returns one action. After
/// `compute` it waits for ``didCompute(_:)``, after `persist` for ``didPersist(isDurable:)``. Until then it receives no
/// message, because the connection answers its requests one after the other.
///
/// HAP: §6
package struct PairSetupAccessory: ~Copyable {
    /// The next action of the caller.
    package enum Action: Equatable, Sendable {
        /// Respond with HTTP 200 and this body.
        case respond(PairingResponse)
        /// Respond with HTTP 200 and this unencrypted body, then use encrypted frames: a pairing for one session.
        case establish(PairingResponse, SessionKeys)
        /// Respond with HTTP 400 and an empty body.
        case refuse(ProtocolError)
        /// Run this on another thread and pass the result to `didCompute`.
        case compute(SRPComputation)
        /// Make this change durable, then call `didPersist`.
        case persist(PairingChange)
    }

    /// The work that the machine waits for.
    private enum Work {
        case makingKey
        case countingProof(SRPComputation)
        case checkingProof
        case clearingFailures(SRPAgreement)
        case storing(Pairing, SRPAgreement)
    }

    /// Contains only references, so a noncopyable state that is consumed would gain nothing.
    private enum State {
        case idle
        case awaitingProof(SRPServerKey)
        case awaitingExchange(SRPAgreement)
        case working(Work)
    }

    private let identity: AccessoryIdentity
    private let verifier: SRPVerifier
    private let usage: PairingUsage
    /// Whether the present procedure ends with M4, and stores no pairing.
    private var isTransient = false
    private var state = State.idle

    /// Creates a machine that expects M1.
    package init(identity: AccessoryIdentity, verifier: SRPVerifier, usage: PairingUsage = .homeKit) {
        self.identity = identity
        self.verifier = verifier
        self.usage = usage
    }

    /// Whether this connection holds the one slot for pair-setup: from an accepted M1 until the procedure ends.
    package var isInProgress: Bool {
        switch state {
        case .idle: false
        case .awaitingProof, .awaitingExchange, .working: true
        }
    }

    /// Whether a requested computation or change is pending.
    ///
    /// The slot is not taken away from a procedure in this state.
    package var isWorking: Bool {
        switch state {
        case .working: true
        case .idle, .awaitingProof, .awaitingExchange: false
        }
    }

    /// Handles a message of the controller.
    ///
    /// - Parameter isSlotFree: Whether no other connection is in pair-setup. It matters only for M1, which starts the
    ///   procedure or restarts it.
    package mutating func receive(_ message: [UInt8], pairings: PairingTable, isSlotFree: Bool) -> Action {
        checkIsNotWorking()
        do throws(ProtocolError) {
            let message = try TLV8Message(message, at: "pair-setup")
            return switch try message.state() {
            case 1: try start(message, pairings, isSlotFree)
            case 3: try checkProof(message)
            case 5: try exchange(message, pairings)
            case let number: throw outOfSequence(number)
            }
        } catch {
            cancel()
            return .refuse(error)
        }
    }

    /// Handles the result of a requested computation.
    package mutating func didCompute(_ result: SRPComputation.Result) -> Action {
        switch state {
        case .working(.makingKey):
            guard case .serverKey(let key) = result else { preconditionFailure("a server key was asked for") }
            let publicKey = key.publicKey(for: verifier)
            guard publicKey.first != 0 else {
                state = .working(.makingKey)
                return .compute(makeKeyComputation())
            }
            state = .awaitingProof(key)
            var writer = TLV8Writer.message(2)
            writer.write(publicKey, .publicKey)
            writer.write(verifier.salt, .salt)
            return .respond(PairingResponse(writer.bytes, .continues))
        case .working(.checkingProof):
            guard case .serverAgreement(let agreement) = result else {
                preconditionFailure("a proof was to be checked")
            }
            guard let agreement else {
                state = .idle
                return .respond(.refusal(4, .authentication))
            }
            state = .working(.clearingFailures(agreement))
            return .persist(.clearFailedProofs)
        case .idle, .awaitingProof, .awaitingExchange, .working(.countingProof), .working(.clearingFailures),
            .working(.storing):
            preconditionFailure("pair-setup has asked for no computation")
        }
    }

    /// Cancels the procedure: another connection has taken over the slot.
    package mutating func cancel() {
        state = .idle
    }

    /// Handles the end of the attempt to make a requested change durable.
    ///
    /// If it failed, a new pairing is refused. A proof that could not be counted is not checked. A correct proof is not
    /// accepted if the count could not be reset.
    package mutating func didPersist(isDurable: Bool) -> Action {
        switch state {
        case .working(.countingProof(let check)):
            guard isDurable else {
                state = .idle
                return .respond(.refusal(4, .unknown))
            }
            state = .working(.checkingProof)
            return .compute(check)
        case .working(.clearingFailures(let agreement)):
            guard isDurable else {
                state = .idle
                return .respond(.refusal(4, .unknown))
            }
            guard !isTransient else {
                state = .idle
                let response = PairingResponse(Self.proofMessage(agreement), .completed)
                return .establish(response, SessionKeys.airPlay(from: agreement.sessionKey))
            }
            state = .awaitingExchange(agreement)
            return .respond(PairingResponse(Self.proofMessage(agreement), .continues))
        case .working(.storing(let pairing, let agreement)):
            state = .idle
            guard isDurable else { return .respond(.refusal(6, .unknown)) }
            return .respond(PairingResponse(exchangeResponse(agreement), .paired(pairing)))
        case .idle, .awaitingProof, .awaitingExchange, .working(.makingKey), .working(.checkingProof):
            preconditionFailure("pair-setup has asked for nothing to be stored")
        }
    }
}

// MARK: - Messages

extension PairSetupAccessory {
    /// Handles M1, in any state, because the controller may start over.
    private mutating func start(
        _ message: TLV8Message,
        _ pairings: PairingTable,
        _ isSlotFree: Bool
    ) throws(ProtocolError) -> Action {
        let method = try message.byte(.method)
        guard [PairingMethod.pairSetup.rawValue, PairingMethod.pairSetupWithAuth.rawValue].contains(method) else {
            throw ProtocolError(.tlv, "method \(method) is not pair-setup", at: "pair-setup M1")
        }
        let flags = try message.flags()
        isTransient = usage.allowsTransient && flags & PairingUsage.transientFlag != 0
        guard isTransient || usage.storesPairings else { return .respond(.refusal(2, .authentication)) }
        if let error = refusalReason(pairings, isSlotFree) {
            state = .idle
            return .respond(.refusal(2, error))
        }
        state = .working(.makingKey)
        return .compute(makeKeyComputation())
    }

    /// Returns the reason to refuse M1; the reasons are checked in HAP's order.
    private func refusalReason(_ pairings: PairingTable, _ isSlotFree: Bool) -> PairingErrorCode? {
        if pairings.isPaired, !usage.allowsSeveral { return .unavailable }
        if pairings.failedProofs >= PairingTable.maximumFailedProofs { return .maxTries }
        return isSlotFree ? nil : .busy
    }

    /// Handles M3.
    private mutating func checkProof(_ message: TLV8Message) throws(ProtocolError) -> Action {
        switch state {
        case .awaitingProof(let key):
            state = .idle
            let clientKey = try message.srpPublicKey()
            let proof = try message.proof()
            guard SRPServer.isAcceptable(clientKey: clientKey) else { return .respond(.refusal(4, .authentication)) }
            let check = SRPComputation(.serverAgreement) { [verifier] in
                .serverAgreement(
                    SRPServer.agreement(
                        clientKey: clientKey,
                        clientProof: proof,
                        serverKey: key,
                        verifier: verifier
                    )
                )
            }
            // The proof is counted before it is checked, so that neither a crash nor a full disk allows an uncounted
            // attempt.
            state = .working(.countingProof(check))
            return .persist(.countFailedProof)
        case .idle, .awaitingExchange, .working:
            state = .idle
            throw outOfSequence(3)
        }
    }

    /// Handles M5.
    private mutating func exchange(_ message: TLV8Message, _ pairings: PairingTable) throws(ProtocolError) -> Action {
        switch state {
        case .awaitingExchange(let agreement):
            state = .idle
            guard let opened = PairSetupSecrets.open(try message.encryptedData(), .setupM5, agreement) else {
                return .respond(.refusal(6, .authentication))
            }
            let content = try TLV8Message(opened, at: "pair-setup M5")
            let identifier = try content.controllerIdentifier()
            let credentials = PairSetupSecrets.Credentials(
                identifier: identifier.bytes,
                publicKey: try content.longTermKey(),
                signature: try content.signature()
            )
            guard PairSetupSecrets.isValid(credentials, .pairSetupControllerSignature, agreement) else {
                return .respond(.refusal(6, .authentication))
            }
            // The slot excludes others between M1 and M5, but a caller could release it too early.
            guard !pairings.isPaired || usage.allowsSeveral else { return .respond(.refusal(6, .unavailable)) }
            guard pairings.pairings.count < PairingTable.capacity || pairings[identifier] != nil else {
                return .respond(.refusal(6, .maxPeers))
            }
            let pairing = Pairing(identifier: identifier, publicKey: credentials.publicKey, isAdmin: usage.makesAdmins)
            state = .working(.storing(pairing, agreement))
            return .persist(.put(pairing))
        case .idle, .awaitingProof, .working:
            state = .idle
            throw outOfSequence(5)
        }
    }

    /// Returns M6.
    private func exchangeResponse(_ agreement: SRPAgreement) -> [UInt8] {
        let credentials = PairSetupSecrets.sign(
            identifier: Array(identity.deviceID.text.utf8),
            with: identity.signingKey,
            .pairSetupAccessorySignature,
            agreement
        )
        var writer = TLV8Writer.message(6)
        writer.write(PairSetupSecrets.seal(credentials, .setupM6, agreement), .encryptedData)
        return writer.bytes
    }

    /// Returns M4.
    private static func proofMessage(_ agreement: SRPAgreement) -> [UInt8] {
        var writer = TLV8Writer.message(4)
        writer.write(agreement.serverProof, .proof)
        return writer.bytes
    }

    private func makeKeyComputation() -> SRPComputation {
        SRPComputation(.serverKey) { [verifier] in
            // M2 needs it, too.
            verifier.prepare()
            return .serverKey(.random())
        }
    }

    private func outOfSequence(_ number: UInt8) -> ProtocolError {
        ProtocolError(.sequence, "the message is not the one expected", at: "pair-setup M\(number)")
    }

    private func checkIsNotWorking() {
        switch state {
        case .working: preconditionFailure("a message was handed over before the last one was answered")
        case .idle, .awaitingProof, .awaitingExchange: break
        }
    }
}

/// How an accessory uses pair-setup and pair-verify.
package struct PairingUsage: Sendable, Hashable {
    /// The bit of the flags in M1 that asks for keys for one session instead of a pairing.
    package static let transientFlag: UInt32 = 1 << 4

    /// Whether a pairing can be stored.
    package var storesPairings = true
    /// Whether the controllers that pair may add and remove others.
    package var makesAdmins = true
    /// Whether pair-setup is possible when a controller is paired.
    package var allowsSeveral = false
    /// Whether a controller may ask for keys for one session, without a pairing.
    package var allowsTransient = false
    /// Whether a session has a second channel, for requests of the accessory, with keys of its own.
    package var hasEventChannel = false

    package init() {}

    /// One controller is paired by the setup code, and adds others.
    package static let homeKit = PairingUsage()
}
