package import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
package import HAPServer
package import Simulation
internal import Synchronization

/// The current simulation, which changes when a served file is edited, and when a server is added or removed.
package final class CurrentSimulationServers: Sendable {
    private let state: Mutex<State>
    /// The turns of actions that change time in several steps.
    private let turns = TurnLock()
    /// The turns of changes of the servers.
    private let edits = TurnLock()

    private struct State {
        var servers: SimulationServers
        /// The clock of the last server that was removed.
        var lastClock: BehaviorClock?
    }

    /// Creates a container with an initial simulation.
    package init(_ simulation: SimulationServers) {
        state = Mutex(State(servers: simulation))
    }

    /// The current simulation.
    package var current: SimulationServers { state.withLock { $0.servers } }

    /// Performs an action when it is its turn: actions that change time in several steps must not overlap.
    ///
    /// - Throws: ``SimulationError`` for an unknown name, an action that is refused, or if the task is cancelled before
    ///   its turn.
    package func perform(_ action: SimulationAction) async throws(SimulationError) -> String {
        guard await turns.acquireUnlessCancelled() else { throw .cancelled }
        defer { turns.release() }
        return try await current.perform(action)
    }

    /// Replaces the accessories of one of the servers, which must already serve them.
    package func replaceAccessories(with accessories: [Accessory], of server: AccessoryServer) async {
        await edits.acquire()
        defer { edits.release() }
        let new = await current.replacingAccessories(with: accessories, of: server)
        state.withLock { $0.servers = new }
    }

    /// Adds a server, whose devices have the same time as the others.
    ///
    /// - Parameter start: Starts the server with the clock of the others, or with its own if it is the first one.
    package func add<Failure: Error>(
        _ start: (BehaviorClock?) async throws(Failure) -> SimulationServer
    ) async throws(Failure) {
        // The clocks of the others do not change during the start.
        await turns.acquire()
        defer { turns.release() }
        await edits.acquire()
        defer { edits.release() }
        let first = current.servers.first?.server
        let lastClock = state.withLock { $0.lastClock }
        let clock = if let first { await first.behaviorClockSnapshot.clock } else { lastClock }
        let server = try await start(clock)
        if let first {
            // A scenario can change the time meanwhile.
            let time = await first.behaviorTime
            await server.server.changeBehaviorClock { clock, now in clock.jump(to: time, at: now) }
        }
        let new = await current.adding(server)
        state.withLock { $0.servers = new }
        await new.home?.add(server.served)
    }

    /// Removes a server; the caller stops it.
    package func remove(_ server: AccessoryServer) async {
        await edits.acquire()
        defer { edits.release() }
        let clock = await server.behaviorClockSnapshot.clock
        let home = state.withLock { state in
            state.servers = state.servers.removing(server)
            state.lastClock = clock
            return state.servers.home
        }
        await home?.remove(server)
    }
}
