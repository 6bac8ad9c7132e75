/// Lets a few lines about each subject through in a second; of the others the latest follows when the second is over,
/// with the number of those between.
///
/// The owner has the clock: it asks for what is held when the second has passed.
struct LineLimiter<Subject: Hashable & Sendable, Line: Sendable>: Sendable {
    /// A line that waited, and how many about the same subject are not printed at all.
    struct Held: Sendable {
        var line: Line
        var leftOut: Int
    }

    /// What to do about a line.
    struct Verdict: Sendable {
        /// From the subject's last second: to be printed first.
        var overdue: Held?
        /// Whether the line is to be printed now.
        var isPassed: Bool
        /// Whether this is the first line of its second that waits: the owner calls ``endSeconds(at:)`` a second later.
        var beginsToWait: Bool
    }

    /// How many lines about one subject are printed at once.
    static var linesPerSecond: Int { 5 }

    private struct Second: Sendable {
        let begin: ContinuousClock.Instant
        var count = 0
        /// The latest one that was not printed.
        var latest: Line?

        var held: Held? {
            latest.map { Held(line: $0, leftOut: count - linesPerSecond - 1) }
        }
    }

    private var seconds: [Subject: Second] = [:]

    /// Takes a line.
    mutating func take(_ line: Line, about subject: Subject, at now: ContinuousClock.Instant) -> Verdict {
        var second = seconds[subject] ?? Second(begin: now)
        var overdue: Held?
        if second.begin.duration(to: now) >= .seconds(1) {
            overdue = second.held
            second = Second(begin: now)
        }
        second.count += 1
        let isPassed = second.count <= Self.linesPerSecond
        second.latest = isPassed ? nil : line
        seconds[subject] = second
        return Verdict(
            overdue: overdue,
            isPassed: isPassed,
            beginsToWait: second.count == Self.linesPerSecond + 1
        )
    }

    /// Ends the seconds that are over.
    ///
    /// - Returns: the lines that they held, the oldest second first, and when the next second ends that holds one.
    mutating func endSeconds(at now: ContinuousClock.Instant) -> (held: [Held], next: ContinuousClock.Instant?) {
        let over = seconds.filter { $0.value.begin.duration(to: now) >= .seconds(1) }
        for subject in over.keys {
            seconds[subject] = nil
        }
        let next = seconds.values.lazy.filter { $0.latest != nil }.map(\.begin).min()
        return (over.values.sorted { $0.begin < $1.begin }.compactMap(\.held), next?.advanced(by: .seconds(1)))
    }

    /// Ends every second.
    mutating func endAll() -> [Held] {
        defer { seconds = [:] }
        return seconds.values.compactMap(\.held)
    }
}
