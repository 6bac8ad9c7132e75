internal import AccessoryModel
internal import DequeModule
internal import HAPCore

/// The changes of a simulated clock, from which the simulated time of an event can be found.
struct SimulatedTimes: Sendable {
    /// The maximum number of changes that are remembered.
    ///
    /// A skipped day can have thousands.
    static let capacity = 10_000

    /// The simulated time at the first change.
    private(set) var start: MonotonicInstant?

    private var changes: Deque<(time: EventTime, shown: MonotonicInstant, scale: Double)> = []

    /// Remembers that the clock shows a simulated time, and its scale from then on.
    mutating func append(_ time: EventTime, shows shown: MonotonicInstant, scale: Double) {
        start = start ?? shown
        changes.append((time, shown, scale))
        if changes.count > Self.capacity { changes.removeFirst() }
    }

    /// Returns what the clock showed at a time; `nil` before the first change that is remembered.
    func simulatedTime(at time: EventTime) -> MonotonicInstant? {
        let next = changes.firstPosition { $0.time.nanoseconds > time.nanoseconds }
        guard next > 0 else { return nil }
        let change = changes[next - 1]
        let real = Duration.nanoseconds(time.nanoseconds - change.time.nanoseconds)
        return change.shown.advanced(by: real * change.scale)
    }
}
