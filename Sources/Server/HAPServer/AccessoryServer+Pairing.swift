internal import AccessoryModel
internal import HAPCore
internal import NIOCore
internal import NIOPosix

extension AccessoryServer {
    /// Answers a message of pair-setup, at once or when its computation is done.
    ///
    /// HAP: §6
    func pairSetup(_ message: [UInt8], from connection: ServerConnection) {
        let owner = pairSetupState.slot.owner.flatMap { connections[$0.id] }
        let now = now
        let isSlotFree = pairSetupState.slot.isFree(
            for: connection.id,
            of: connection.host,
            // If the owner's connection is closed, the slot is still taken because a proof is being checked or counted.
            isOwnerWorking: owner?.pairSetup.isWorking ?? true,
            at: now
        )
        let wasInProgress = connection.pairSetup.isInProgress
        let action = connection.pairSetup.receive(message, pairings: records.pairings, isSlotFree: isSlotFree)
        switch action {
        case .compute(let computation) where computation.kind == .serverKey:
            observer?.observe(.pairSetupStarted(connection.id))
            if let loser = pairSetupState.slot.begin(connection.id, of: connection.host, at: now) {
                connections[loser]?.pairSetup.cancel()
            }
        case .persist(.countFailedProof):
            pairSetupState.slot.recordProof(of: connection.id, at: now)
        case .respond(let reply):
            if !wasInProgress {
                observer?.observe(.pairSetupStarted(connection.id))
            }
            if reply.outcome == .refused(.busy) {
                pairSetupState.slot.recordRefusal(of: connection.host, at: now)
            }
        case .compute, .persist, .refuse, .establish: break
        }
        performPairSetup(action, for: connection)
    }

    /// Answers a message of pair-verify; the last one turns the connection into a session.
    ///
    /// HAP: §7
    func pairVerify(_ message: [UInt8], from connection: ServerConnection) {
        switch connection.pairVerify.receive(message, pairings: records.pairings, ephemeral: X25519KeyPair.random) {
        case .respond(let reply):
            if case .refused(let error) = reply.outcome {
                observer?.observe(.pairVerifyRefused(connection.id, error))
            }
            respond(.pairing(reply.message), to: connection)
        case .establish(let reply, let keys, let pairing):
            connection.session = ServerConnection.Session(controller: pairing.identifier, isAdmin: pairing.isAdmin)
            respond(.pairing(reply.message), to: connection, then: ResponseCompletion(keys: keys))
            observer?.observe(.sessionVerified(connection.id, pairing.identifier))
        case .refuse(let error):
            refuse(error, from: connection)
        }
    }

    /// Queues a request to add, remove or list pairings, and answers it at once if it is too large or too many wait.
    ///
    /// HAP: §9
    func pairings(_ message: [UInt8], from connection: ServerConnection) {
        guard message.count <= HTTPLimits.unverified.maximumBodyBytes else {
            refuse(
                ProtocolError(.tooLarge, "the message is larger than any of this kind", at: "pairings"),
                from: connection
            )
            return
        }
        if !enqueue(.managePairings(message, from: connection.id)) {
            respond(.pairing(TLV8Writer.refusal(2, .busy)), to: connection)
        }
    }

    /// Answers a request to add, remove or list pairings, based on the current pairings.
    ///
    /// Called by the worker only, so that no other change comes between decision and effect.
    ///
    /// HAP: §9
    func managePairings(_ message: [UInt8], from id: ConnectionID) async {
        guard let connection = connections[id], let session = connection.session else { return }
        let action = connection.pairings.receive(message, from: session.controller, pairings: records.pairings)
        guard case .persist(let change) = action else {
            finishPairingsRequest(action, of: connection)
            return
        }
        let wasPaired = records.pairings.isPaired
        let isDurable = await apply(change, requestedBy: id)
        if let connection = connections[id] {
            finishPairingsRequest(connection.pairings.didPersist(isDurable: isDurable), of: connection)
        } else if records.pairings.isPaired != wasPaired {
            announce()
        }
    }

    /// Continues the pair-setup that waits for the result of a computation.
    private func finishComputation(_ result: SRPComputation.Result, for id: ConnectionID) {
        if let connection = connections[id] {
            performPairSetup(connection.pairSetup.didCompute(result), for: connection)
        } else if case .serverAgreement(_?) = result {
            // The proof was correct although its controller has disconnected, so it does not count as a failed one.
            enqueue(.persist(.clearFailedProofs, for: id))
        } else {
            releasePairSetupSlot(of: id)
        }
    }

    /// Generates a key pair for the next pair-setup while no controller waits for it.
    func prepareServerKey() async {
        guard pairSetupState.serverKey.key == nil, !records.pairings.isPaired else {
            return pairSetupState.serverKey.finishPreparation(nil)
        }
        let (stored, verifier) = (pairSetupState.serverKey.verifierPowers, pairSetupState.verifier)
        let made = await Self.runOnThreadPool {
            let powers = stored ?? SRPVerifierPowers(of: verifier)
            return (key: SRPServerKey.random(verifierPowers: powers), powers: powers)
        }
        pairSetupState.serverKey.finishPreparation(records.pairings.isPaired ? nil : made)
    }

    /// Schedules the generation of a key pair for the next pair-setup, unless there is one, one is being generated, or
    /// pairing is not possible.
    func prepareForPairSetup() {
        guard pairSetupState.serverKey.beginPreparation(isPaired: records.pairings.isPaired) else { return }
        if !enqueue(.prepareServerKey) {
            pairSetupState.serverKey.finishPreparation(nil)
        }
    }

    /// Ends the turn of a connection in pair-setup, so that another one can start.
    func releasePairSetupSlot(of id: ConnectionID) {
        guard pairSetupState.slot.owner?.id == id else { return }
        pairSetupState.slot.release(id, at: now)
        prepareForPairSetup()
    }

    /// Makes a change that a pair-setup requested, and continues it.
    ///
    /// Called by the worker only.
    func persist(_ change: PairingChange, for id: ConnectionID?) async {
        let wasPaired = records.pairings.isPaired
        let isDurable = await apply(change, requestedBy: id)
        if let connection = id.flatMap({ connections[$0] }) {
            performPairSetup(connection.pairSetup.didPersist(isDurable: isDurable), for: connection)
        } else {
            if let id {
                releasePairSetupSlot(of: id)
            }
            if records.pairings.isPaired != wasPaired {
                announce()
            }
        }
    }

    /// Saves a change of the pairings and then applies it; returns whether it was saved.
    private func apply(_ change: PairingChange, requestedBy id: ConnectionID?) async -> Bool {
        do throws(StoreError) {
            try await stored(.pairings) { () async throws(StoreError) in try await ports.store.apply(change) }
        } catch {
            observer?.observe(.storeFailed(error))
            return false
        }
        let before = records.pairings
        records.pairings.apply(change)
        updateSessions(from: before, requestedBy: id)
        return true
    }

    // MARK: Pair-setup

    private func performPairSetup(_ action: PairSetupAccessory.Action, for connection: ServerConnection) {
        if !connection.pairSetup.isInProgress {
            pairSetupState.slot.release(connection.id, at: now)
        }
        switch action {
        case .respond(let reply):
            finishPairSetup(reply, of: connection)
        case .refuse(let error):
            refuse(error, from: connection)
        case .compute(let computation):
            if computation.kind == .serverKey, let key = pairSetupState.serverKey.take() {
                performPairSetup(connection.pairSetup.didCompute(.serverKey(key)), for: connection)
            } else {
                compute(computation, for: connection.id)
            }
        case .persist(let change):
            enqueue(.persist(change, for: connection.id))
        case .establish:
            preconditionFailure("HomeKit has no pairing for one session")
        }
    }

    /// Runs exponentiations on the thread pool while a controller waits.
    ///
    /// A task would switch threads three times as often as this call, which goes to the pool and back to the loop.
    private func compute(_ computation: SRPComputation, for id: ConnectionID) {
        pairSetupState.computation = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { computation.run() }
            // The pool shuts down only when the process ends. The work then runs here, so the caller gets a result.
            .recover { _ in computation.run() }
            .map { result in self.assumeIsolated { $0.finishComputation(result, for: id) } }
    }

    private func finishPairSetup(_ reply: PairingResponse, of connection: ServerConnection) {
        switch reply.outcome {
        case .paired:
            // Announced only after M6: controllers that see `sf` change earlier give up.
            let sequel = ResponseCompletion { self.assumeIsolated { $0.announce() } }
            respond(.pairing(reply.message), to: connection, then: sequel)
        case .refused(let error):
            observer?.observe(.pairSetupRefused(connection.id, error, failedProofs: records.pairings.failedProofs))
            respond(.pairing(reply.message), to: connection)
            prepareForPairSetup()
        case .continues, .completed:
            respond(.pairing(reply.message), to: connection)
        }
    }

    // MARK: Pairings

    private func finishPairingsRequest(_ action: PairingsAccessory.Action, of connection: ServerConnection) {
        switch action {
        case .respond(let reply):
            let isStillPaired = connection.session.map { records.pairings[$0.controller] != nil } ?? false
            let isAnnouncementDue = !records.pairings.isPaired
            let sequel = ResponseCompletion(closesConnection: !isStillPaired) {
                guard isAnnouncementDue else { return }
                self.assumeIsolated { $0.announce() }
            }
            respond(.pairing(reply.message), to: connection, then: sequel)
        case .refuse(let error):
            refuse(error, from: connection)
        case .persist:
            preconditionFailure("an answer asks for nothing to be stored")
        }
    }

    /// Closes the sessions of controllers whose pairing was removed, except for the requester's, and updates the
    /// permissions of the others.
    ///
    /// HAP: §9 (remove)
    private func updateSessions(from before: PairingTable, requestedBy requester: ConnectionID?) {
        for connection in connections.all {
            guard var session = connection.session else { continue }
            guard let pairing = records.pairings[session.controller] else {
                if connection.id != requester {
                    close(connection, .pairingRemoved)
                }
                continue
            }
            if session.isAdmin, !pairing.isAdmin {
                removeAdminSubscriptions(of: connection)
            }
            session.isAdmin = pairing.isAdmin
            connection.session = session
        }
        if records.pairings.isPaired != before.isPaired {
            prepareForPairSetup()
        }
        guard let observer else { return }
        for pairing in records.pairings.pairings where before[pairing.identifier] != pairing {
            observer.observe(.pairingAdded(pairing.identifier, isAdmin: pairing.isAdmin))
        }
        for pairing in before.pairings where records.pairings[pairing.identifier] == nil {
            observer.observe(.pairingRemoved(pairing.identifier))
        }
    }

    /// Removes the subscriptions that only admins may have.
    ///
    /// HAP: §14
    private func removeAdminSubscriptions(of connection: ServerConnection) {
        for (index, characteristic) in database.characteristics.enumerated()
        where characteristic.adminOnly.contains(.notify) {
            database.subscriptions.unsubscribe(connection.id.subscriber, from: index)
            connection.events.drop(characteristic.id)
        }
    }

    static func runOnThreadPool<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        do {
            return try await NIOThreadPool.singleton.runIfActive(body)
        } catch {
            // The pool shuts down only when the process ends. The work then runs here, so the caller gets a result.
            return body()
        }
    }
}
