/// A rate limit of 10 runs in 60 s.
struct RateWindow: Sendable, Hashable {
    /// The maximum number of runs in the window.
    static let limit = 10
    /// The length of the window.
    static let window = Duration.seconds(60)

    private var instants: [WallInstant] = []

    /// Returns whether a run is allowed now, and counts it if it is.
    mutating func tryRun(at now: WallInstant) -> Bool {
        let start = now.advanced(by: .zero - Self.window)
        // Instants in the future are from before the clock was set back.
        instants.removeAll { $0 <= start || $0 > now }
        guard instants.count < Self.limit else { return false }
        instants.append(now)
        return true
    }
}
