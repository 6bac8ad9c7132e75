package import HomeRunning

/// A home that runs by itself on the simulation's clock, and is taken along when time passes at once.
package struct LiveHome: Sendable {
    private let runner: HomeRunner
    private let world: ServedWorld

    /// - Parameter world: What the runner runs the home on.
    package init(_ runner: HomeRunner, in world: ServedWorld) {
        self.runner = runner
        self.world = world
    }

    /// Lets time pass in the home and in its servers together; their clocks must stand still.
    func pass(by duration: Duration) async {
        await runner.pass(by: duration, in: world)
    }
}
