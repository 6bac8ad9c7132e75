internal import HAPCore

/// A position in seconds that moves with time while it runs.
struct PlaybackClock: Sendable, Hashable {
    private var base: Double
    /// The instant at which the position was `base`; `nil` while the clock stands still.
    private var start: MonotonicInstant?
    private(set) var rate: Double

    /// Creates a clock that stands still.
    init(at position: Double = 0, rate: Double = 1) {
        (base, self.rate) = (position, rate)
    }

    var isRunning: Bool { start != nil }

    func position(at now: MonotonicInstant) -> Double {
        guard let start else { return base }
        return base + max(start.duration(to: now).seconds, 0) * rate
    }

    /// Returns when the position will be reached; `nil` while the clock stands still.
    ///
    /// A position in the past is reached when the clock was started.
    func instant(of position: Double) -> MonotonicInstant? {
        guard let start else { return nil }
        let nanoseconds = ((position - base) / rate * 1e9).rounded(.up)
        guard nanoseconds > 0 else { return start }
        return start.advanced(by: .nanoseconds(Int64(min(nanoseconds, 9e18))))
    }

    mutating func run(at now: MonotonicInstant) {
        if start == nil { start = now }
    }

    mutating func stop(at now: MonotonicInstant) {
        base = position(at: now)
        start = nil
    }

    mutating func jump(to position: Double, at now: MonotonicInstant) {
        base = position
        if start != nil { start = now }
    }

    mutating func setRate(_ rate: Double, at now: MonotonicInstant) {
        jump(to: position(at: now), at: now)
        self.rate = rate
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
