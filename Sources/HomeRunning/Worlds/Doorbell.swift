internal import Synchronization

/// Wakes the one task that waits; rung while nobody does, the next wait is over at once.
package final class Doorbell: Sendable {
    private struct State {
        var isRung = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Wakes who waits, or who waits next.
    package func ring() {
        let waiter = state.withLock { state in
            state.isRung = state.waiter == nil
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits until the task is cancelled.
    static func waitForCancellation() async {
        let never = Doorbell()
        while !Task.isCancelled {
            await never.wait()
        }
    }

    /// Waits until it is rung, or the task is cancelled.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    precondition(state.waiter == nil, "one task waits at a doorbell")
                    // Of a task that is cancelled already the handler has come before the waiter.
                    guard !state.isRung, !Task.isCancelled else {
                        state.isRung = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isOver {
                    continuation.resume()
                }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume()
        }
    }
}
