package import HomeModel
package import HomeRuntime
package import Simulation

/// The users of a home as those who come and go in a scenario.
package struct ScenarioPresence: Sendable {
    private let runner: HomeRunner
    private let stepped: SteppedHome?

    /// - Parameter stepped: The same home, where it is run step by step.
    package init(_ runner: HomeRunner, stepped: SteppedHome?) {
        self.runner = runner
        self.stepped = stepped
    }

    /// Refuses who is no user.
    ///
    /// - Parameter names: Who is.
    /// - Throws: ``SimulationError`` with all of them.
    package static func check(_ name: String, among names: [ObjectName]) throws(SimulationError) {
        let key = ObjectName.key(of: name)
        guard !names.contains(where: { $0.key == key }) else { return }
        throw SimulationError(
            .unknownName,
            "There is no user \"\(String(name.prefix(100)))\" in the home.",
            names.isEmpty ? "It has none." : "There are: \(names.map(\.text).joined(separator: ", "))."
        )
    }

    /// Lets a user come or go; at full speed what comes of it is done when it returns.
    ///
    /// - Throws: ``SimulationError`` for who is no user.
    func set(_ isHome: Bool, of name: String) async throws(SimulationError) {
        let users = await runner.home.users
        try Self.check(name, among: users.map(\.name))
        let key = ObjectName.key(of: name)
        guard let user = users.first(where: { $0.name.key == key }) else { return }
        if let stepped {
            await stepped.setPresence(isHome, of: user.id)
        } else {
            await runner.setPresence(isHome, of: user.id)
        }
    }
}
