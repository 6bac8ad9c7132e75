internal import HAPCore
internal import HAPServer
package import HomeModel
package import HomeRuntime
package import Simulation

/// A home that runs on simulated servers of this process.
package struct SimulatedHome: Sendable {
    private let runner: HomeRunner
    private let backend: InProcessBackend
    /// Whether the home runs step by step with the servers, in ``advance(to:)``, and not in ``HomeRunner/run()``.
    package let isStepped: Bool

    /// Creates a home; a stepped home reads the current values.
    ///
    /// - Parameter world: The servers on which the runner runs the home.
    package init(_ runner: HomeRunner, in world: InProcessBackend, isStepped: Bool = false) async {
        self.runner = runner
        self.backend = world
        self.isStepped = isStepped
        if isStepped {
            await runner.beginStepping(in: world)
        }
    }

    /// Adds a server to those of the home.
    func add(_ server: HostedServer) async {
        await backend.add(server)
    }

    /// Removes a server from those of the home.
    func remove(_ server: HostedServer) async {
        await backend.remove(server)
    }

    // MARK: A home that runs by itself

    /// Switches the home to ``advance(by:)`` until ``endManualTime()``.
    ///
    /// The clocks of its servers must be paused during that time.
    func beginManualTime() async {
        await runner.beginManualTime()
    }

    /// Lets the home continue by itself.
    func endManualTime() async {
        await runner.endManualTime()
    }

    /// Advances the home and its servers together.
    func advance(by duration: Duration) async {
        await runner.advance(by: duration, in: backend)
    }

    /// The time until the next deadline of the home's engine; `nil` if it only waits for events.
    var timeToDeadline: Duration? {
        get async { await runner.timeUntilDeadline }
    }

    // MARK: A home that is stepped

    /// The next deadline of the home's engine.
    var nextDeadline: MonotonicInstant? {
        get async { await runner.nextDeadline.flatMap(backend.behaviorTime) }
    }

    /// Advances the home and its servers together.
    func advance(to time: MonotonicInstant) async {
        await runner.advance(to: backend.wallInstant(time), in: backend)
    }

    // MARK: Presence

    /// Sets the presence of a user.
    ///
    /// If the home is stepped, the consequences have taken effect when the call returns.
    ///
    /// - Throws: ``SimulationError`` for an unknown user.
    func setPresence(_ isHome: Bool, of name: String) async throws(SimulationError) {
        let users = await runner.home.users
        try Self.checkUser(name, among: users.map(\.name))
        let key = ObjectName.key(of: name)
        guard let user = users.first(where: { $0.name.key == key }) else { return }
        if isStepped {
            await runner.setPresence(isHome, of: user.id, in: backend)
        } else {
            await runner.setPresence(isHome, of: user.id)
        }
    }

    /// Throws an error if a user is unknown.
    ///
    /// - Parameter names: The names of the known users.
    /// - Throws: ``SimulationError`` with all names.
    package static func checkUser(_ name: String, among names: [ObjectName]) throws(SimulationError) {
        let key = ObjectName.key(of: name)
        guard !names.contains(where: { $0.key == key }) else { return }
        throw SimulationError(
            .unknownName,
            "There is no user \"\(String(name.prefix(100)))\" in the home.",
            names.isEmpty ? "It has none." : "There are: \(names.map(\.text).joined(separator: ", "))."
        )
    }
}
