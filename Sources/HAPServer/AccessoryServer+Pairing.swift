internal import AccessoryModel
internal import HAPCore
internal import HAPTransport
internal import NIOPosix

extension AccessoryServer {
    /// Answers a message of pair-setup, at once or when the work that it takes is done.
    ///
    /// HAP: §6
    func pairSetup(_ message: [UInt8], from connection: ServerConnection) {
        let isSlotFree = pairSetupSlot.isFree(for: connection.id, at: now)
        let action = connection.pairSetup.receive(message, pairings: pairings, isSlotFree: isSlotFree)
        perform(action, for: connection)
    }

    /// Answers a message of pair-verify; the last one makes the connection a session.
    ///
    /// HAP: §7
    func pairVerify(_ message: [UInt8], from connection: ServerConnection) {
        switch connection.pairVerify.receive(message, pairings: pairings, ephemeral: X25519KeyPair.random) {
        case .reply(let reply):
            if case .refused(let error) = reply.outcome {
                observer?.observe(.pairVerifyRefused(connection.id, error))
            }
            respond(.pairing(reply.message), to: connection)
        case .establish(let reply, let keys, let pairing):
            connection.session = ServerConnection.Session(controller: pairing.identifier, isAdmin: pairing.isAdmin)
            respond(.pairing(reply.message), to: connection, then: ResponseSequel(keys: keys))
            observer?.observe(.sessionVerified(connection.id, pairing.identifier))
        case .reject(let error):
            refuse(error, from: connection)
        }
    }

    /// Answers a request to add, remove or list pairings.
    ///
    /// HAP: §9
    func managePairings(_ message: [UInt8], from connection: ServerConnection) {
        guard let session = connection.session else { return }
        let action = connection.pairings.receive(message, from: session.controller, pairings: pairings)
        perform(action, for: connection)
    }

    /// Runs the exponentiations on the thread pool and hands the result back to the procedure that waits for it.
    func compute(_ computation: SRPComputation, for id: ConnectionID, procedure: UInt64) async {
        let result = await Self.onThreadPool { computation.run() }
        guard let connection = connections[id] else { return }
        guard connection.procedure == procedure else {
            // Another controller was given its place meanwhile.
            respond(HTTPResponse(.badRequest), to: connection)
            return
        }
        perform(connection.pairSetup.computed(result), for: connection)
    }

    /// Makes a key pair for the next pair-setup while nobody waits for it.
    func prepareServerKey() async {
        guard preparedServerKey == nil, !pairings.isPaired else { return }
        preparedServerKey = await Self.onThreadPool { SRPServerKey.random() }
    }

    /// Puts a change of the pairings on disk, and then into effect.
    func persist(_ change: PairingChange, for origin: PersistOrigin) async {
        do throws(StoreError) {
            try await store.apply(change)
        } catch {
            observer?.observe(.storeFailed(error))
            finish(origin, isPersisted: false)
            return
        }
        let before = pairings
        pairings.apply(change)
        let isLastAdminGone = !pairings.isPaired && !pairings.pairings.isEmpty
        if isLastAdminGone {
            await persist(.removeAll, for: .lastAdmin)
        }
        takeEffect(from: before, requestedBy: origin)
        // Asked before the answer, which may end the connection: who is answered announces once that has left.
        let isAnswered = connection(of: origin) != nil
        finish(origin, isPersisted: true)
        if before.isPaired != pairings.isPaired, !isAnswered {
            announce()
        }
    }

    // MARK: Pair-setup

    private func perform(_ action: PairSetupAccessory.Action, for connection: ServerConnection) {
        let lost = pairSetupSlot.update(connection.id, isInProgress: connection.pairSetup.isInProgress, at: now)
        if let lost, let loser = connections[lost] {
            loser.pairSetup = PairSetupAccessory(identity: identity.identity, verifier: identity.verifier)
            loser.procedure += 1
        }
        switch action {
        case .reply(let reply):
            finishPairSetup(reply, of: connection)
        case .reject(let error):
            refuse(error, from: connection)
        case .compute(let computation):
            if computation.kind == .serverKey, let key = preparedServerKey.take() {
                perform(connection.pairSetup.computed(.serverKey(key)), for: connection)
            } else {
                enqueue(.compute(computation, for: connection.id, procedure: connection.procedure))
            }
        case .persist(let change):
            enqueue(.persist(change, for: .pairSetup(connection.id, procedure: connection.procedure)))
        }
    }

    private func finishPairSetup(_ reply: PairingReply, of connection: ServerConnection) {
        switch reply.outcome {
        case .paired:
            // `sf` flips only when M6 has left. HAP: §2
            let sequel = ResponseSequel { self.assumeIsolated { $0.announce() } }
            respond(.pairing(reply.message), to: connection, then: sequel)
        case .refused(let error):
            observer?.observe(.pairSetupRefused(connection.id, error, failedProofs: pairings.failedProofs))
            respond(.pairing(reply.message), to: connection)
            enqueue(.prepareServerKey)
        case .continues, .completed:
            respond(.pairing(reply.message), to: connection)
        }
    }

    // MARK: Pairings

    private func perform(_ action: PairingsAccessory.Action, for connection: ServerConnection) {
        switch action {
        case .reply(let reply):
            let isStillPaired = connection.session.map { pairings[$0.controller] != nil } ?? false
            let isAnnouncementDue = !pairings.isPaired
            let sequel = ResponseSequel(closesConnection: !isStillPaired) {
                guard isAnnouncementDue else { return }
                self.assumeIsolated { $0.announce() }
            }
            respond(.pairing(reply.message), to: connection, then: sequel)
        case .persist(let change):
            enqueue(.persist(change, for: .pairings(connection.id)))
        case .reject(let error):
            refuse(error, from: connection)
        }
    }

    /// Tells whoever waits for a change that it is on disk, or that it is not.
    private func finish(_ origin: PersistOrigin, isPersisted: Bool) {
        guard let connection = connection(of: origin) else { return }
        switch origin {
        case .pairSetup(_, let procedure):
            guard connection.procedure == procedure else {
                // It lost its place while the store was at work; what was stored stands.
                respond(HTTPResponse(.badRequest), to: connection)
                if isPersisted {
                    announce()
                }
                return
            }
            let action = isPersisted ? connection.pairSetup.persisted() : connection.pairSetup.persistFailed()
            perform(action, for: connection)
        case .pairings:
            let action = isPersisted ? connection.pairings.persisted() : connection.pairings.persistFailed()
            perform(action, for: connection)
        case .lastAdmin:
            break
        }
    }

    /// Closes the sessions of controllers that are not paired any more, at once but for the one that asked, and lets the
    /// others know their permissions.
    ///
    /// HAP: §9 (remove)
    private func takeEffect(from before: PairingTable, requestedBy origin: PersistOrigin) {
        let requester = connection(of: origin)?.id
        for connection in connections.values {
            guard var session = connection.session else { continue }
            guard let pairing = pairings[session.controller] else {
                if connection.id != requester {
                    close(connection, .pairingRemoved)
                }
                continue
            }
            if session.isAdmin, !pairing.isAdmin {
                endAdminSubscriptions(of: connection)
            }
            session.isAdmin = pairing.isAdmin
            connection.session = session
        }
        guard let observer else { return }
        for pairing in pairings.pairings where before[pairing.identifier] != pairing {
            observer.observe(.pairingAdded(pairing.identifier, isAdmin: pairing.isAdmin))
        }
        for pairing in before.pairings where pairings[pairing.identifier] == nil {
            observer.observe(.pairingRemoved(pairing.identifier))
        }
    }

    /// HAP: §14: admin-only characteristics deliver events only to admins.
    private func endAdminSubscriptions(of connection: ServerConnection) {
        for (index, characteristic) in database.characteristics.enumerated()
        where characteristic.adminOnly.contains(.notify) {
            database.subscriptions.unsubscribe(connection.id.subscriber, from: index)
            connection.events.drop(characteristic.id)
        }
    }

    private func connection(of origin: PersistOrigin) -> ServerConnection? {
        switch origin {
        case .pairSetup(let id, _), .pairings(let id): connections[id]
        case .lastAdmin: nil
        }
    }

    private static func onThreadPool<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        do {
            return try await NIOThreadPool.singleton.runIfActive(body)
        } catch {
            // The pool is shut down with the process only; whoever waits then gets the result all the same.
            return body()
        }
    }
}
