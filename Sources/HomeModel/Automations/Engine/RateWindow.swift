/// How often something happened lately: at most 10 times in 60 s.
struct RateWindow: Sendable, Hashable {
    /// How often it may happen in the window.
    static let limit = 10
    /// How long it remembers.
    static let window = Duration.seconds(60)

    private var instants: [WallInstant] = []

    /// Whether it may happen now; then it has.
    mutating func tryRun(at now: WallInstant) -> Bool {
        let start = now.advanced(by: .zero - Self.window)
        // What lies ahead comes from before the clock was put back.
        instants.removeAll { $0 <= start || $0 > now }
        guard instants.count < Self.limit else { return false }
        instants.append(now)
        return true
    }
}
