internal import Synchronization

/// The end of one wait, which several may bring about and only the first does.
final class EndOfWaiting<Outcome: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Outcome, Never>?>

    init(_ continuation: CheckedContinuation<Outcome, Never>) {
        self.continuation = Mutex(continuation)
    }

    /// Ends the wait, unless it has ended.
    func come(with outcome: Outcome) {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }?
        .resume(returning: outcome)
    }
}

extension EndOfWaiting<Void> {
    /// Ends the wait, unless it has ended.
    func come() {
        come(with: ())
    }
}
