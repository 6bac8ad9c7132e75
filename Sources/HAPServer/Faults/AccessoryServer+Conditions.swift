internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// What an ``FaultInjection`` says of the server's place in the world, and what it cannot say by an answer.
extension AccessoryServer {
    /// How long it takes until listening is tried again where it has failed.
    private static let listenRetryDelay = Duration.seconds(1)

    /// Brings the server to the conditions that its interference tells; to be called when they have changed by something
    /// else than the passing of time.
    ///
    /// Returns when they hold.
    package func updateConditions() async {
        guard ports.faultInjection != nil else { return }
        await withCheckedContinuation { continuation in
            if !enqueue(.applyConditions(continuation)) {
                continuation.resume()
            }
        }
    }

    /// Closes all connections, whoever is at their other ends.
    package func closeAllConnections() {
        for connection in connections.all {
            close(connection, .faultInjection)
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

    /// Does what ``updateConditions()`` says.
    ///
    /// Called by the worker alone, so that one change of conditions is through before the next.
    func applyConditions() async {
        guard let faultInjection = ports.faultInjection, lifecycle.isServing else { return }
        let before = presence.conditions
        presence.conditions = faultInjection.conditions
        if presence.conditions.eventTiming != before.eventTiming {
            for connection in connections.all {
                apply(presence.conditions.eventTiming, to: connection)
            }
        }
        if before.reachability != presence.conditions.reachability {
            await leave(before.reachability)
            enter(presence.conditions.reachability)
        }
        await openOrCloseListener()
        if isAnnounced(under: before) != isAnnounced(under: presence.conditions)
            || before.overrides != presence.conditions.overrides
        {
            announce()
        }
        rescheduleBehaviors()
    }

    /// Lets a connection tell changes as the conditions have it.
    func apply(_ timing: ServerConditions.EventTiming, to connection: ServerConnection) {
        connection.sendsEventsIndividually = timing == .immediate
        if case .batched(let time) = timing {
            connection.events.batchDuration = time
        } else {
            connection.events.batchDuration = nil
        }
    }

    /// Whether there is an announcement under these conditions.
    func isAnnounced(under conditions: ServerConditions) -> Bool {
        conditions.isAnnounced && conditions.reachability != .rebooting
    }

    private func leave(_ presence: ServerConditions.Reachability) async {
        switch presence {
        case .reachable, .refusing: break
        case .unresponsive: resetAllConnections()
        case .rebooting: await raiseConfigurationNumber()
        }
    }

    private func enter(_ presence: ServerConditions.Reachability) {
        switch presence {
        case .reachable, .unresponsive: break
        case .refusing: resetAllConnections()
        case .rebooting: closeAllConnections()
        }
    }

    private func resetAllConnections() {
        for connection in connections.all {
            reset(connection, .faultInjection)
        }
    }

    private func raiseConfigurationNumber() async {
        let raised = records.configuration.incremented
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
        guard presence.listener.isOwned, case .serving(let channel) = lifecycle.state else { return }
        switch (presence.conditions.reachability, presence.listener.isOpen) {
        case (.refusing, true), (.rebooting, true):
            presence.listener.isOpen = false
            try? await channel.close()
        case (.reachable, false), (.unresponsive, false):
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
                    observer?.observe(.listeningResumed)
                }
            } catch {
                if !presence.listener.hasFailed {
                    presence.listener.hasFailed = true
                    observer?.observe(.listeningFailed(error.reason))
                }
                // Its port is free again sooner or later: whoever has taken it meanwhile took it for a moment.
                guard presence.listener.retry == nil else { return }
                presence.listener.retry = schedule(after: Self.listenRetryDelay) { server in
                    server.presence.listener.retry = nil
                    server.enqueue(.applyConditions(nil))
                }
            }
        case (.refusing, false), (.rebooting, false), (.reachable, true), (.unresponsive, true): break
        }
    }
}
