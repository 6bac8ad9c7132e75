package import HomeModel

/// What time it is for a home.
package protocol HomeClock: Sendable {
    /// What it shows.
    var now: WallInstant { get async }

    /// Waits until it shows an instant, or about so long that it is worth a look again; returns at once when the task is
    /// cancelled. `nil` is never.
    func wait(until instant: WallInstant?) async
}
