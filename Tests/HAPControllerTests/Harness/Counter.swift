import Synchronization

/// Counts what happens on several threads.
final class Counter: Sendable {
    private let state = Atomic(0)

    var count: Int { state.load(ordering: .relaxed) }

    /// Counts one more, 1 for the first.
    func next() -> Int {
        state.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
