internal import AsyncPrimitives
package import HAPCore
internal import HomeRuntime
internal import Synchronization

/// The state of servers that a simulation runs.
package struct ServerPresence: Sendable {
    /// The servers that can be reached.
    package var reachable: Set<DeviceID> = []
    /// Those of them that have a session with a controller, which has read everything that they have sent.
    package var settled: Set<DeviceID> = []
    /// The servers that cannot be reached, which the controller notices without a request.
    package var lost: Set<DeviceID> = []

    /// Creates the state without servers.
    package init() {}
}

extension HomeKitCore {
    /// Waits until the accessories have received the requests of the app, and the delegates have been called for
    /// everything that the accessories have sent.
    ///
    /// Setups are not waited for: they wait for the user.
    ///
    /// - Parameters:
    ///   - limit: The time after which the function returns.
    ///   - presence: Returns the present state of the servers.
    /// - Throws: `CancellationError` if the task is canceled.
    /// - Returns: `nil`, or at the time limit the servers whose state the app does not have; the set is empty if a
    ///   request of the app is not answered.
    func settle(
        within limit: Duration,
        _ presence: () async -> ServerPresence
    ) async throws(CancellationError) -> Set<DeviceID>? {
        let end = ContinuousClock.now.advanced(by: limit)
        // For changes of other apps.
        poll()
        while true {
            guard !Task.isCancelled else { throw CancellationError() }
            await edits.finishJobs()
            let unsettled = await unsettledServers(await presence())
            // What arrives from now on is handled here, and another pass follows.
            let isChanged = OneShot<Bool>()
            await runOnMainQueue { [self] in isChanged.set(handleChanges()) }
            let isIdle = state.withLock { $0.pendingRequests == 0 }
            let hasChanged = await isChanged.wait()
            if unsettled.isEmpty, isIdle, !hasChanged { return nil }
            guard ContinuousClock.now < end else { return unsettled }
            if !hasChanged { try? await Task.sleep(for: .milliseconds(1)) }
        }
    }

    private func unsettledServers(_ presence: ServerPresence) async -> Set<DeviceID> {
        guard let parts = try? parts() else { return [] }
        var unsettled: Set<DeviceID> = []
        let (observations, reachable) = state.withLock { ($0.observations, $0.reachable) }
        for (server, observation) in observations {
            if presence.lost.contains(server) {
                if reachable.contains(server) { unsettled.insert(server) }
            } else if presence.reachable.contains(server) {
                let hasValues = reachable.contains(server) && observation.pending == nil
                guard hasValues, presence.settled.contains(server), await parts.backend.isSettled(server) else {
                    unsettled.insert(server)
                    continue
                }
            }
        }
        return unsettled
    }
}
