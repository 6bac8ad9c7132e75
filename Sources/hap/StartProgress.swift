/// Tells how far a start of many servers has come, once a second.
struct StartProgress: Sendable {
    private let total: Int
    private var lastReport: ContinuousClock.Instant

    init(of total: Int, at now: ContinuousClock.Instant) {
        self.total = total
        lastReport = now
    }

    /// The line to print, `nil` when it is too early for another or all is done.
    mutating func line(started: Int, at now: ContinuousClock.Instant) -> String? {
        guard started < total, lastReport.duration(to: now) >= .seconds(1) else { return nil }
        lastReport = now
        return "Starting: \(started) of \(total) servers listen."
    }
}
