internal import AccessoryModel
internal import AirPlay
internal import AsyncPrimitives
internal import HAPCore
internal import Hosting
internal import Simulation

/// Pair-setup, pair-verify and the list of pairings on one connection.
actor ConnectionPairing {
    /// The answer to a message, and what follows from it.
    struct Outcome: Sendable {
        let response: AirPlayResponse
        /// The keys with which the connection goes on after the answer.
        var keys: SessionKeys?
        var pairing: Pairing?

        init(_ response: AirPlayResponse, keys: SessionKeys? = nil, pairing: Pairing? = nil) {
            (self.response, self.keys, self.pairing) = (response, keys, pairing)
        }

        init(_ message: [UInt8], keys: SessionKeys? = nil, pairing: Pairing? = nil) {
            self.init(AirPlayResponse("application/octet-stream", message), keys: keys, pairing: pairing)
        }
    }

    private let credentials: AirPlayCredentials
    private let port: DriverPort
    private let context: ReceiverContext
    private var setup: PairSetupAccessory?
    /// Whether the procedure stores no pairing.
    private var isTransient = false
    private var verification: PairVerifyAccessory

    init(_ context: ReceiverContext) {
        (self.context, credentials, port) = (context, context.credentials, context.port)
        var usage = PairingUsage()
        usage.hasEventChannel = true
        verification = PairVerifyAccessory(identity: credentials.identity, usage: usage)
    }

    /// Handles a message of pair-setup.
    ///
    /// - Parameter isForHome: Whether a home pairs, whose controllers may add and remove senders.
    func setUp(_ body: [UInt8], isForHome: Bool, _ access: AirPlayAccess) async -> Outcome {
        guard let message = try? TLV8Message(body, at: "pair-setup"), let state = try? message.state() else {
            return Outcome(AirPlayResponse(400))
        }
        if state == 1 {
            // A refused message leaves no procedure: its proofs would count as those of the other kind.
            setup = nil
            isTransient = (try? message.flags()).map { $0 & PairingUsage.transientFlag != 0 } ?? false
            guard !isTransient || access.allowsTransient else {
                return Outcome(TLV8Writer.refusal(2, .authentication))
            }
            let verifier = isTransient ? credentials.transientVerifier : await credentials.pairSetupVerifier()
            var usage = PairingUsage()
            usage.allowsSeveral = true
            usage.makesAdmins = isForHome
            (usage.allowsTransient, usage.storesPairings) = (isTransient, !isTransient)
            setup = PairSetupAccessory(identity: credentials.identity, verifier: verifier, usage: usage)
        }
        if state == 3, await port.take(fault: "wrongPIN") {
            setup = nil
            return Outcome(TLV8Writer.refusal(4, .authentication))
        }
        let table = await credentials.table(isTransient: isTransient)
        var action = setup?.receive(body, pairings: table, isSlotFree: true)
        while let next = action {
            switch next {
            case .respond(let response):
                if case .paired(let pairing) = response.outcome {
                    port.emit(DriverEvent("paired", ["sender": "\(pairing.identifier)"]))
                }
                return Outcome(response.message)
            case .establish(let response, let keys): return Outcome(response.message, keys: keys)
            case .refuse: return Self.outOfSequence(state)
            case .compute(let computation):
                guard let result = await compute(computation) else {
                    // The machine waits for a result, so it takes no other message.
                    setup = nil
                    return Outcome(AirPlayResponse(503))
                }
                action = setup?.didCompute(result)
            case .persist(let change):
                let isDurable = await credentials.apply(change, isTransient: isTransient)
                action = setup?.didPersist(isDurable: isDurable)
            }
        }
        return Self.outOfSequence(state)
    }

    /// Runs a computation of pair-setup; only one runs at a time, and a wrong PIN takes a second more.
    ///
    /// - Returns: `nil` if others take too long.
    private func compute(_ computation: SRPComputation) async -> SRPComputation.Result? {
        let computations = credentials.computations
        guard await computations.acquire() else { return nil }
        defer { computations.release() }
        // Other connections may have guessed meanwhile.
        if computation.kind == .serverAgreement, !isTransient, await credentials.mayNotGuess {
            return .serverAgreement(nil)
        }
        let result = await Task(executorPreference: globalConcurrentExecutor) { computation.run() }.value
        if case .serverAgreement(nil) = result, !isTransient {
            try? await Task.sleep(for: AirPlayCredentials.failureTime)
        }
        return result
    }

    /// The answer to a message that is not expected: senders go on with M5 after a wrong PIN.
    private static func outOfSequence(_ state: UInt8) -> Outcome {
        state == 5 ? Outcome(TLV8Writer.refusal(6, .authentication)) : Outcome(AirPlayResponse(400))
    }

    /// Handles a message of pair-verify.
    func verify(_ body: [UInt8]) async -> Outcome {
        let table = await credentials.table()
        switch verification.receive(body, pairings: table, ephemeral: X25519KeyPair.random) {
        case .respond(let response):
            // Senders do not read an error in the last message, so the status says it, too.
            if case .refused = response.outcome { return Outcome(AirPlayResponse(470)) }
            return Outcome(response.message)
        case .establish(let response, let keys, let pairing):
            return Outcome(response.message, keys: keys, pairing: pairing)
        case .refuse: return Outcome(AirPlayResponse(400))
        }
    }

    /// Handles a request to add, remove or list pairings.
    func change(_ body: [UInt8], by sender: ControllerIdentifier) async -> AirPlayResponse {
        var pairings = PairingsAccessory()
        var action = pairings.receive(body, from: sender, pairings: await credentials.table())
        if case .persist(let change) = action {
            let isDurable = await credentials.apply(change)
            action = pairings.didPersist(isDurable: isDurable)
            switch change {
            case .put(let pairing) where isDurable:
                port.emit(DriverEvent("paired", ["sender": "\(pairing.identifier)"]))
            case .remove(let identifier) where isDurable:
                port.emit(DriverEvent("unpaired", ["sender": "\(identifier)"]))
            case .removeAll where isDurable:
                port.emit(DriverEvent("unpaired", ["sender": "all"]))
                context.announceAgain()
            case .put, .remove, .removeAll, .countFailedProof, .clearFailedProofs: break
            }
        }
        guard case .respond(let response) = action else { return AirPlayResponse(400) }
        return Outcome(response.message).response
    }
}
