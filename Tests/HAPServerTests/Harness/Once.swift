import Synchronization

/// Tells the first call from all others.
final class Once: Sendable {
    private let isDone = Atomic(false)

    func isFirst() -> Bool {
        !isDone.exchange(true, ordering: .relaxed)
    }
}
