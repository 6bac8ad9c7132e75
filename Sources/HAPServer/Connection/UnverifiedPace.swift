internal import HAPCore

/// Lets the requests of connections without a session have half of the event loop's time at most, one after the other,
/// so that sessions are answered in between.
///
/// A pair-verify costs ten times what a read does, and anybody may begin one.
struct UnverifiedPace: Sendable {
    /// The next one is not taken before.
    private(set) var next = MonotonicInstant(nanoseconds: .min)

    /// The least time between two requests, in which the event loop looks at its connections.
    static let leastPause = Duration.microseconds(50)

    /// Notes that one was worked on.
    mutating func worked(from begin: MonotonicInstant, to end: MonotonicInstant) {
        next = end.advanced(by: max(begin.duration(to: end), Self.leastPause))
    }
}
