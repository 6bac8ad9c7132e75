internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// What an ``Interference`` says of the server's place in the world, and what it cannot say by an answer.
extension AccessoryServer {
    /// How long it takes until listening is tried again where it has failed.
    private static let listeningPause = Duration.seconds(1)

    /// Brings the server to the conditions that its interference tells; to be called when they have changed by something
    /// else than the passing of time.
    ///
    /// Returns when they hold.
    package func interferenceChanged() async {
        guard interference != nil else { return }
        await withCheckedContinuation { continuation in
            if !enqueue(.adoptConditions(continuation)) {
                continuation.resume()
            }
        }
    }

    /// Closes all connections, whoever is at their other ends.
    package func closeAllConnections() {
        for connection in connections.all {
            close(connection, .interference)
        }
    }

    /// Deletes all pairings, as a device does that was reset; its identity stays.
    ///
    /// Returns when they are deleted, or when the store has not done it, of which the observer is told.
    package func forgetPairings() async {
        await withCheckedContinuation { continuation in
            if !enqueue(.forgetPairings(continuation)) {
                continuation.resume()
            }
        }
    }

    /// Does what ``interferenceChanged()`` says.
    ///
    /// Called by the worker alone, so that one change of conditions is through before the next.
    func adoptConditions() async {
        guard let interference, case .serving = lifecycle else { return }
        let before = conditions
        conditions = interference.conditions
        if conditions.eventTiming != before.eventTiming {
            for connection in connections.all {
                apply(conditions.eventTiming, to: connection)
            }
        }
        if before.presence != conditions.presence {
            await end(before.presence)
            begin(conditions.presence)
        }
        await openOrCloseListener()
        if announces(before) != announces(conditions) || before.alteration != conditions.alteration {
            announce()
        }
        rescheduleBehaviors()
    }

    /// Lets a connection tell changes as the conditions have it.
    func apply(_ timing: ServerConditions.EventTiming, to connection: ServerConnection) {
        connection.sendsEventsSingly = timing == .single
        if case .collected(let time) = timing {
            connection.events.collectingTime = time
        } else {
            connection.events.collectingTime = nil
        }
    }

    /// Whether there is an announcement under these conditions.
    func announces(_ conditions: ServerConditions) -> Bool {
        conditions.isAnnounced && conditions.presence != .rebooting
    }

    private func end(_ presence: ServerConditions.Presence) async {
        switch presence {
        case .present, .refusing: break
        case .silent: resetAllConnections()
        case .rebooting: await raiseConfigurationNumber()
        }
    }

    private func begin(_ presence: ServerConditions.Presence) {
        switch presence {
        case .present, .silent: break
        case .refusing: resetAllConnections()
        case .rebooting: closeAllConnections()
        }
    }

    private func resetAllConnections() {
        for connection in connections.all {
            reset(connection, .interference)
        }
    }

    private func raiseConfigurationNumber() async {
        let raised = serverConfiguration.raised
        do throws(StoreError) {
            try await store.save(identifiers, raised)
        } catch {
            observer?.observe(.storeFailed(error))
            return
        }
        serverConfiguration = raised
        observer?.observe(.configurationChanged(raised.number))
        announce()
    }

    private func openOrCloseListener() async {
        guard listener.isOwn, case .serving(let channel) = lifecycle else { return }
        switch (conditions.presence, listener.isOpen) {
        case (.refusing, true), (.rebooting, true):
            listener.isOpen = false
            try? await channel.close()
        case (.present, false), (.silent, false):
            do throws(ServerError) {
                let channel = try await listen()
                guard case .serving = lifecycle else {
                    try? await channel.close()
                    return
                }
                lifecycle = .serving(channel)
                listener.isOpen = true
                if listener.hasFailed {
                    listener.hasFailed = false
                    observer?.observe(.listeningAgain)
                }
            } catch {
                if !listener.hasFailed {
                    listener.hasFailed = true
                    observer?.observe(.listeningFailed(error.reason))
                }
                // Its port is free again sooner or later: whoever has taken it meanwhile took it for a moment.
                guard listeningRetry == nil else { return }
                listeningRetry = schedule(after: Self.listeningPause) { server in
                    server.listeningRetry = nil
                    server.enqueue(.adoptConditions(nil))
                }
            }
        case (.refusing, false), (.rebooting, false), (.present, true), (.silent, true): break
        }
    }
}
