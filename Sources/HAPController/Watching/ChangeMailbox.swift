internal import Synchronization

/// Where the changes for one that watches wait until they are taken.
final class ChangeMailbox: Sendable {
    private struct State {
        var queue: ChangeQueue
        var end: Result<Void, ControllerError>?
        var waiter: CheckedContinuation<Result<AccessoryChange?, ControllerError>, Never>?
        var isCancelled = false
    }

    private let state: Mutex<State>

    /// Creates an empty one with the limits of a queue.
    init(limit: Int, byteLimit: Int) {
        state = Mutex(State(queue: ChangeQueue(limit: limit, byteLimit: byteLimit)))
    }

    /// Puts a change in; after the end it is dropped.
    ///
    /// One for which there is no room is the end.
    func put(_ change: AccessoryChange) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<AccessoryChange?, ControllerError>, Never>? in
            guard state.end == nil else { return nil }
            guard let waiter = state.waiter else {
                if !state.queue.append(change) {
                    state.queue = ChangeQueue(limit: 1)
                    state.end = .failure(.overflow)
                }
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: .success(change))
    }

    /// Ends: what waits is still taken, and after it the end.
    func finish(_ end: Result<Void, ControllerError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<AccessoryChange?, ControllerError>, Never>? in
            guard state.end == nil else { return nil }
            state.end = end
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: end.map { nil })
    }

    /// The next change, once there is one; `nil` at the end and when the task is cancelled.
    nonisolated(nonsending) func next() async throws(ControllerError) -> AccessoryChange? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let taken = state.withLock { state -> Result<AccessoryChange?, ControllerError>? in
                    if let change = state.queue.next() { return .success(change) }
                    if let end = state.end { return end.map { nil } }
                    if state.isCancelled { return .success(nil) }
                    precondition(state.waiter == nil, "one task at a time takes changes")
                    state.waiter = continuation
                    return nil
                }
                if let taken {
                    continuation.resume(returning: taken)
                }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    private func cancel() {
        let waiter = state.withLock { state -> CheckedContinuation<Result<AccessoryChange?, ControllerError>, Never>? in
            state.isCancelled = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: .success(nil))
    }
}
