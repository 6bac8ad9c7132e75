internal import Synchronization

/// A value whose changes several readers follow; a slow reader gets the latest one.
final class LatestValues<Value: Sendable>: Sendable {
    private let state: Mutex<State>
    private let didChange: @Sendable () -> Void

    private struct State {
        var value: Value
        var lastNumber = 0
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
        var hasEnded = false
    }

    /// - Parameter didChange: Called after each change.
    init(_ value: Value, didChange: @escaping @Sendable () -> Void = {}) {
        state = Mutex(State(value: value))
        self.didChange = didChange
    }

    var value: Value { state.withLock(\.value) }

    func set(_ value: Value) {
        // Within the lock, so that each reader gets the values in their order.
        let isSet = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.value = value
            for reader in state.readers.values { reader.yield(value) }
            return true
        }
        if isSet { didChange() }
    }

    /// Ends all streams after their last value.
    func finish() {
        let readers = state.withLock { state in
            state.hasEnded = true
            defer { state.readers = [:] }
            return state.readers.values
        }
        for reader in readers { reader.finish() }
    }

    /// Returns the present value, and each later one.
    func stream() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let hasEnded = state.withLock { state in
            continuation.yield(state.value)
            guard !state.hasEnded else { return true }
            state.lastNumber += 1
            let number = state.lastNumber
            state.readers[number] = continuation
            continuation.onTermination = { [weak self] _ in self?.remove(number) }
            return false
        }
        if hasEnded { continuation.finish() }
        return stream
    }

    private func remove(_ number: Int) { _ = state.withLock { $0.readers.removeValue(forKey: number) } }
}
