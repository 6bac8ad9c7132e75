internal import Synchronization

/// The end of one wait, which several may bring about and only the first does.
final class EndOfWaiting: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = Mutex(continuation)
    }

    /// Ends the wait, unless it has ended.
    func come() {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }?
        .resume()
    }
}
