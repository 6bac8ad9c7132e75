import Synchronization

/// Tells the first call from all others.
final class Once: Sendable {
    private let wasCalled = Atomic(false)

    func isFirst() -> Bool {
        !wasCalled.exchange(true, ordering: .relaxed)
    }
}
