internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// Applies the effects of a ``FaultInjection`` that do not depend on a request, such as a server that cannot be
/// reached.
extension AccessoryServer {
    /// The time until the server tries again to listen.
    private static let listenRetryDelay = Duration.seconds(1)

    /// Applies the conditions of the fault injection.
    ///
    /// Call it when the conditions have changed, unless they changed because time has passed.
    ///
    /// Returns when the conditions are in effect.
    package func updateConditions() async {
        guard ports.faultInjection != nil else { return }
        await withCheckedContinuation { continuation in
            if !enqueue(.applyConditions(continuation)) {
                continuation.resume()
            }
        }
    }

    /// Closes all connections.
    package func closeAllConnections() {
        for connection in connections.all {
            close(connection, .faultInjection)
        }
    }

    /// Deletes pairings, but keeps the identity; without a remaining admin, all pairings are deleted.
    ///
    /// Returns when they are deleted, or when the store has failed, which is reported to the observer.
    ///
    /// - Parameter controller: The controller of the pairing, or `nil` for all, like a device that is reset.
    package func forgetPairings(of controller: ControllerIdentifier? = nil) async {
        await withCheckedContinuation { continuation in
            if !enqueue(.forgetPairings(of: controller, continuation)) {
                continuation.resume()
            }
        }
    }

    /// Performs ``updateConditions()``.
    ///
    /// Called by the worker only, so that one change of conditions is complete before the next.
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

    /// Sets how a connection sends events under the current conditions.
    func apply(_ timing: ServerConditions.EventTiming, to connection: ServerConnection) {
        connection.sendsEventsIndividually = timing == .immediate
        if case .batched(let time) = timing {
            connection.events.batchDuration = time
        } else {
            connection.events.batchDuration = nil
        }
    }

    /// Returns whether the server is announced under these conditions.
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
            try await stored(.structure) { () async throws(StoreError) in
                try await ports.store.save(identifiers, raised)
            }
        } catch {
            observer?.observe(.storeFailed(error))
            return
        }
        records.configuration = raised
        observer?.observe(.configurationChanged(raised.number))
        announce()
    }

    private func openOrCloseListener() async {
        guard presence.listener.isOwned, lifecycle.isAccepting, case .serving(let channel) = lifecycle.state else {
            return
        }
        switch (presence.conditions.reachability, presence.listener.isOpen) {
        case (.refusing, true), (.rebooting, true):
            presence.listener.isOpen = false
            try? await channel.close()
        case (.reachable, false), (.unresponsive, false):
            do throws(ServerError) {
                let channel = try await listen()
                guard lifecycle.isServing, lifecycle.isAccepting else {
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
                // Another program has probably taken the port only for a moment, so the server tries again.
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
