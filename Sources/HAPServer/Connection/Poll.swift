internal import NIOCore

/// A value that is polled, and where that stands.
///
/// Belongs to the server's actor and never leaves it.
struct Poll {
    let source: PolledValue
    /// Whether a write has begun or ended since the last question, so that its answer may be an old one.
    var isOvertaken = false
    /// Whether the last answer was an error: the first of a row is told.
    var isFailing = false
    var task: Task<Void, Never>?
    var timer: Scheduled<Void>?

    init(_ source: PolledValue) {
        self.source = source
    }
}
