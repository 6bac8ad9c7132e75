internal import HAPCore
package import HomeModel
package import HomeRuntime
package import Simulation

/// A home that is run on simulated servers of this process.
package struct SimulatedHome: Sendable {
    private let runner: HomeRunner
    private let backend: InProcessBackend
    /// Whether the home is run by ``advance(to:)`` alone, step by step with the servers, and not by ``HomeRunner/run()``.
    package let isStepped: Bool

    /// Creates a home; one that is run step by step takes the present values.
    ///
    /// - Parameter world: The servers that the runner runs the home on.
    package init(_ runner: HomeRunner, in world: InProcessBackend, isStepped: Bool = false) async {
        self.runner = runner
        self.backend = world
        self.isStepped = isStepped
        if isStepped {
            await runner.beginStepping(in: world)
        }
    }

    // MARK: A home that runs by itself

    /// Lets it wait for ``advance(by:)``, until ``endManualTime()``; its servers' clocks must be paused meanwhile.
    func beginManualTime() async {
        await runner.beginManualTime()
    }

    /// Lets it continue by itself.
    func endManualTime() async {
        await runner.endManualTime()
    }

    /// Lets time pass in the home and in its servers together.
    func advance(by duration: Duration) async {
        await runner.advance(by: duration, in: backend)
    }

    /// How long it is until its engine has something to do; `nil` while it only waits for events.
    var timeToDeadline: Duration? {
        get async { await runner.timeUntilDeadline }
    }

    // MARK: A home that is run step by step

    /// When its engine has something to do next.
    var nextDeadline: MonotonicInstant? {
        get async { await runner.nextDeadline.map(backend.behaviorTime) }
    }

    /// Lets time pass in the home and in its servers together.
    func advance(to time: MonotonicInstant) async {
        await runner.advance(to: backend.wallInstant(time), in: backend)
    }

    // MARK: Presence

    /// Lets a user come or go; when the home is run step by step, the consequences have occurred when it returns.
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

    /// Refuses an unknown user.
    ///
    /// - Parameter names: The users that there are.
    /// - Throws: ``SimulationError`` with all of them.
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
