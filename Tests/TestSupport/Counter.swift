import Synchronization

/// Counts calls from any thread.
package final class Counter: Sendable {
    private let state = Atomic(0)

    package init() {}

    /// The number of calls of ``next()`` so far.
    package var count: Int { state.load(ordering: .relaxed) }

    /// Counts one call; returns 1 for the first.
    @discardableResult
    package func next() -> Int {
        state.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
