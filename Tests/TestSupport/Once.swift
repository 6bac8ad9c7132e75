import Synchronization

/// Distinguishes the first call from all later ones, from any thread.
package final class Once: Sendable {
    private let wasCalled = Atomic(false)

    package init() {}

    /// Whether ``isFirst()`` has not been called yet.
    package var isAhead: Bool {
        !wasCalled.load(ordering: .relaxed)
    }

    /// Returns `true` for the first call.
    package func isFirst() -> Bool {
        !wasCalled.exchange(true, ordering: .relaxed)
    }
}
