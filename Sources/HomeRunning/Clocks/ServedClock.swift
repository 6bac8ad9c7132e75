package import HomeModel

/// The time in the servers of this process: that of the behaviours, so that it is fast, slow or stands still as theirs.
package struct ServedClock: HomeClock {
    /// How long is waited before a look whether the clock goes otherwise.
    private static let longestWait = Duration.seconds(1)

    private let world: ServedWorld

    package init(_ world: ServedWorld) {
        self.world = world
    }

    package var now: WallInstant {
        get async { await world.now }
    }

    package func wait(until instant: WallInstant?) async {
        var left = Self.longestWait
        if let instant, let delay = await world.delay(until: instant) {
            left = min(left, delay)
        }
        guard left > .zero else { return }
        try? await Task.sleep(for: left, tolerance: .zero)
    }
}
