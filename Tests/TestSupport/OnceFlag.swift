import Synchronization

/// Distinguishes the first call from all later ones, from any thread.
package final class OnceFlag: Sendable {
    private let wasCalled = Atomic(false)

    package init() {}

    /// Whether ``claim()`` has not been called.
    package var isUnclaimed: Bool {
        !wasCalled.load(ordering: .relaxed)
    }

    /// Returns `true` for the first call.
    package func claim() -> Bool {
        !wasCalled.exchange(true, ordering: .relaxed)
    }
}
