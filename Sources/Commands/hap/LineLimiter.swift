/// A limiter that passes a few lines about each subject per second.
///
/// It holds the latest of the other lines until the second is over, with the number of lines that were left out.
///
/// The limiter has no clock. Its owner asks for the held lines when the second has passed.
struct LineLimiter<Subject: Hashable & Sendable, Line: Sendable>: Sendable {
    /// A line that was held, and the number of lines about the same subject that were left out.
    struct HeldLine: Sendable {
        var line: Line
        var omittedCount: Int
    }

    /// The limiter's decision about a line.
    struct Decision: Sendable {
        /// The line that was held in the subject's previous second, which is to be printed first.
        var heldBefore: HeldLine?
        /// Whether the line is printed now.
        var isPrinted: Bool
        /// Whether this is the first held line of its second.
        ///
        /// The owner then calls ``finishWindows(at:)`` a second later.
        var startsHolding: Bool
    }

    /// The maximum number of lines about one subject that are printed immediately in each second.
    static var linesPerSecond: Int { 5 }

    private struct Window: Sendable {
        let start: ContinuousClock.Instant
        var count = 0
        /// The latest line that was not printed.
        var latest: Line?

        var held: HeldLine? {
            latest.map { HeldLine(line: $0, omittedCount: count - linesPerSecond - 1) }
        }
    }

    private var windows: [Subject: Window] = [:]

    /// Decides whether a line is printed now or held.
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

    /// Ends the windows that are over.
    ///
    /// - Returns: The held lines, the oldest window first, and the end of the next window that holds a line.
    mutating func finishWindows(at now: ContinuousClock.Instant) -> (held: [HeldLine], next: ContinuousClock.Instant?) {
        let over = windows.filter { $0.value.start.duration(to: now) >= .seconds(1) }
        for subject in over.keys {
            windows[subject] = nil
        }
        let next = windows.values.lazy.filter { $0.latest != nil }.map(\.start).min()
        return (over.values.sorted { $0.start < $1.start }.compactMap(\.held), next?.advanced(by: .seconds(1)))
    }

    /// Ends every window, and returns the held lines.
    mutating func finishAll() -> [HeldLine] {
        defer { windows = [:] }
        return windows.values.compactMap(\.held)
    }
}
