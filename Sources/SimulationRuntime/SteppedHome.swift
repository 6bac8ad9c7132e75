package import HAPCore
package import HomeModel
package import HomeRuntime

/// A home that is run on the simulation's clock, step by step.
package struct SteppedHome: Sendable {
    private let runner: HomeRunner
    private let world: ServedWorld
    private let start: WallInstant
    private let origin: MonotonicInstant

    /// Begins to run a home.
    ///
    /// - Parameters:
    ///   - start: What its calendar and clock show now.
    ///   - origin: What the simulation's clock shows now.
    package init(_ runner: HomeRunner, in world: ServedWorld, at start: WallInstant, from origin: MonotonicInstant)
        async
    {
        self.runner = runner
        self.world = world
        self.start = start
        self.origin = origin
        await runner.beginSteps(in: world)
    }

    /// When its engine has something to do next.
    var nextDeadline: MonotonicInstant? {
        get async {
            await runner.nextDeadline.map { origin.advanced(by: start.duration(to: $0)) }
        }
    }

    /// Lets a user come or go; what comes of it is done when it returns.
    func setPresence(_ isHome: Bool, of user: ObjectID<HomeUser>) async {
        await runner.setPresence(isHome, of: user, in: world)
    }

    /// Lets time pass in the home and in its servers together.
    func advance(to time: MonotonicInstant) async {
        await runner.advance(to: start.advanced(by: origin.duration(to: time)), in: world)
    }
}
