import Synchronization

/// Tells the first call from all others.
final class Once: Sendable {
    private let wasCalled = Atomic(false)

    /// Whether it was not called yet.
    var isAhead: Bool {
        !wasCalled.load(ordering: .relaxed)
    }

    func isFirst() -> Bool {
        !wasCalled.exchange(true, ordering: .relaxed)
    }
}
