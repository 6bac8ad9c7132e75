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
        guard ports.interference != nil else { return }
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
        guard let interference = ports.interference, lifecycle.isServing else { return }
        let before = presence.conditions
        presence.conditions = interference.conditions
        if presence.conditions.eventTiming != before.eventTiming {
            for connection in connections.all {
                apply(presence.conditions.eventTiming, to: connection)
            }
        }
        if before.presence != presence.conditions.presence {
            await end(before.presence)
            begin(presence.conditions.presence)
        }
        await openOrCloseListener()
        if announces(before) != announces(presence.conditions) || before.alteration != presence.conditions.alteration {
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
        let raised = records.configuration.raised
        do throws(StoreError) {
            let identifiers = records.identifiers
            try await store(.structure) { store throws(StoreError) in try await store.save(identifiers, raised) }
        } catch {
            observer?.observe(.storeFailed(error))
            return
        }
        records.configuration = raised
        observer?.observe(.configurationChanged(raised.number))
        announce()
    }

    private func openOrCloseListener() async {
        guard presence.listener.isOwn, case .serving(let channel) = lifecycle.state else { return }
        switch (presence.conditions.presence, presence.listener.isOpen) {
        case (.refusing, true), (.rebooting, true):
            presence.listener.isOpen = false
            try? await channel.close()
        case (.present, false), (.silent, false):
            do throws(ServerError) {
                let channel = try await listen()
                guard lifecycle.isServing else {
                    try? await channel.close()
                    return
                }
                lifecycle.serve(channel)
                presence.listener.isOpen = true
                if presence.listener.hasFailed {
                    presence.listener.hasFailed = false
                    observer?.observe(.listeningAgain)
                }
            } catch {
                if !presence.listener.hasFailed {
                    presence.listener.hasFailed = true
                    observer?.observe(.listeningFailed(error.reason))
                }
                // Its port is free again sooner or later: whoever has taken it meanwhile took it for a moment.
                guard presence.listener.retry == nil else { return }
                presence.listener.retry = schedule(after: Self.listeningPause) { server in
                    server.presence.listener.retry = nil
                    server.enqueue(.adoptConditions(nil))
                }
            }
        case (.refusing, false), (.rebooting, false), (.present, true), (.silent, true): break
        }
    }
}
