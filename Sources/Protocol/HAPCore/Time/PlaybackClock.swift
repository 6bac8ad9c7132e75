/// A position in seconds that moves with time while it runs, such as that of a film.
package struct PlaybackClock: Sendable, Hashable {
    private var base: Double
    /// The instant at which the position was `base`; `nil` while the clock stands still.
    private var start: MonotonicInstant?
    package private(set) var rate: Double

    /// Creates a clock that stands still.
    package init(at position: Double = 0, rate: Double = 1) {
        (base, self.rate) = (position, rate)
    }

    package var isRunning: Bool { start != nil }

    package func position(at now: MonotonicInstant) -> Double {
        guard let start else { return base }
        return base + max(start.duration(to: now) / .seconds(1), 0) * rate
    }

    /// Returns when the position will be reached; `nil` while the clock stands still.
    ///
    /// A position in the past is reached when the clock was started.
    package func instant(of position: Double) -> MonotonicInstant? {
        guard let start else { return nil }
        let nanoseconds = ((position - base) / rate * 1e9).rounded(.up)
        guard nanoseconds > 0 else { return start }
        return start.advanced(by: .nanoseconds(Int64(min(nanoseconds, 9e18))))
    }

    package mutating func run(at now: MonotonicInstant) {
        if start == nil { start = now }
    }

    package mutating func stop(at now: MonotonicInstant) {
        base = position(at: now)
        start = nil
    }

    package mutating func jump(to position: Double, at now: MonotonicInstant) {
        base = position
        if start != nil { start = now }
    }

    package mutating func setRate(_ rate: Double, at now: MonotonicInstant) {
        jump(to: position(at: now), at: now)
        self.rate = rate
    }
}
