/// Lets a few lines about each subject through in a second; of the others the latest follows when the second is over,
/// with the number of those between.
///
/// The owner has the clock: it asks for what is held when the second has passed.
struct LineLimiter<Subject: Hashable & Sendable, Line: Sendable>: Sendable {
    /// A line that waited, and how many about the same subject are not printed at all.
    struct HeldLine: Sendable {
        var line: Line
        var omittedCount: Int
    }

    /// What to do about a line.
    struct Decision: Sendable {
        /// From the subject's last second: to be printed first.
        var heldBefore: HeldLine?
        /// Whether the line is to be printed now.
        var isPrinted: Bool
        /// Whether this is the first line of its second that waits: the owner calls ``finishWindows(at:)`` a second later.
        var startsHolding: Bool
    }

    /// How many lines about one subject are printed at once.
    static var linesPerSecond: Int { 5 }

    private struct Window: Sendable {
        let start: ContinuousClock.Instant
        var count = 0
        /// The latest one that was not printed.
        var latest: Line?

        var held: HeldLine? {
            latest.map { HeldLine(line: $0, omittedCount: count - linesPerSecond - 1) }
        }
    }

    private var windows: [Subject: Window] = [:]

    /// Takes a line.
    mutating func decide(on line: Line, about subject: Subject, at now: ContinuousClock.Instant) -> Decision {
        var second = windows[subject] ?? Window(start: now)
        var overdue: HeldLine?
        if second.start.duration(to: now) >= .seconds(1) {
            overdue = second.held
            second = Window(start: now)
        }
        second.count += 1
        let isPassed = second.count <= Self.linesPerSecond
        second.latest = isPassed ? nil : line
        windows[subject] = second
        return Decision(
            heldBefore: overdue,
            isPrinted: isPassed,
            startsHolding: second.count == Self.linesPerSecond + 1
        )
    }

    /// Ends the seconds that are over.
    ///
    /// - Returns: the lines that they held, the oldest second first, and when the next second ends that holds one.
    mutating func finishWindows(at now: ContinuousClock.Instant) -> (held: [HeldLine], next: ContinuousClock.Instant?) {
        let over = windows.filter { $0.value.start.duration(to: now) >= .seconds(1) }
        for subject in over.keys {
            windows[subject] = nil
        }
        let next = windows.values.lazy.filter { $0.latest != nil }.map(\.start).min()
        return (over.values.sorted { $0.start < $1.start }.compactMap(\.held), next?.advanced(by: .seconds(1)))
    }

    /// Ends every second.
    mutating func finishAll() -> [HeldLine] {
        defer { windows = [:] }
        return windows.values.compactMap(\.held)
    }
}
