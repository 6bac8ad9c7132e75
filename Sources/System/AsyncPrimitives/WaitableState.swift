internal import Synchronization

/// A value behind a lock, with tasks that wait for it to change.
final class WaitableState<Value: Sendable>: Sendable {
    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
        var lastID: UInt64 = 0
    }

    private enum Attempt<Result> {
        case done(Result)
        case mustWait(id: UInt64)
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// Reads or changes the value, and wakes no task.
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        state.withLock { body(&$0.value) }
    }

    /// Changes the value, and wakes the waiting tasks if the change says so.
    ///
    /// - Parameter change: Returns whether a waiting task may succeed now.
    func update(_ change: (inout Value) -> Bool) {
        let woken = state.withLock { state -> [Waiter] in
            guard change(&state.value) else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in woken {
            waiter.continuation.resume()
        }
    }

    /// Waits until an attempt succeeds, and returns its result; `nil` if the task is cancelled first.
    ///
    /// A cancelled task makes one last attempt.
    ///
    /// - Parameters:
    ///   - isCancellable: Whether a cancelled task stops waiting.
    ///   - attempt: Extracts the result from the value; `nil` if it is not available yet.
    nonisolated(nonsending) func wait<Result: Sendable>(
        isCancellable: Bool = true,
        for attempt: (inout Value) -> Result?
    ) async -> Result? {
        while true {
            let first = state.withLock { state -> Attempt<Result> in
                if let result = attempt(&state.value) { return .done(result) }
                state.lastID += 1
                return .mustWait(id: state.lastID)
            }
            guard case .mustWait(let id) = first else {
                guard case .done(let result) = first else { return nil }
                return result
            }
            if isCancellable, Task.isCancelled { return nil }
            var result: Result?
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isOver = state.withLock { state in
                        result = attempt(&state.value)
                        // If the task was already cancelled, its handler has run before the waiter existed.
                        if result != nil || (isCancellable && Task.isCancelled) { return true }
                        state.waiters.append(Waiter(id: id, continuation: continuation))
                        return false
                    }
                    if isOver { continuation.resume() }
                }
            } onCancel: {
                if isCancellable { cancelWaiter(id) }
            }
            if let result { return result }
        }
    }

    private func cancelWaiter(_ id: UInt64) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume()
    }
}
