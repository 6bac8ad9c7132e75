package import HomeRuntime

/// A home that runs by itself on the simulation's clock, and is taken along when time passes at once.
package struct LiveHome: Sendable {
    private let runner: HomeRunner
    private let world: ServedWorld

    /// - Parameter world: What the runner runs the home on.
    package init(_ runner: HomeRunner, in world: ServedWorld) {
        self.runner = runner
        self.world = world
    }

    /// Lets it wait for ``pass(by:)``, until ``endPass()``; its servers' clocks must stand still meanwhile.
    func beginPass() async {
        await runner.beginPass()
    }

    /// Lets it go on by itself.
    func endPass() async {
        await runner.endPass()
    }

    /// Lets time pass in the home and in its servers together.
    func pass(by duration: Duration) async {
        await runner.pass(by: duration, in: world)
    }

    /// How long it is until its engine has something to do; `nil` while it only waits for what happens.
    var timeToDeadline: Duration? {
        get async { await runner.timeToDeadline }
    }
}
