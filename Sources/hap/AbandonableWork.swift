import Dispatch
import Synchronization

/// Work that cannot be interrupted, such as reading a large file.
///
/// Nothing waits for its end once its task is cancelled.
enum AbandonableWork {
    /// Returns what the work returns; `nil` as soon as the task is cancelled.
    ///
    /// The work runs outside Swift's cooperative thread pool, so that tasks that handle signals can run meanwhile. When
    /// the task is cancelled, the work continues until it ends or the process does, and its result is discarded. It must
    /// have no side effects.
    static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        let waiter = Waiter<Result>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard waiter.wait(with: continuation) else { return }
                DispatchQueue.global().async { waiter.end(with: work()) }
            }
        } onCancel: {
            waiter.end(with: nil)
        }
    }

    /// Resumes a continuation once, whether the work or a cancellation ends first.
    private final class Waiter<Result: Sendable>: Sendable {
        private enum State {
            case idle
            case waiting(CheckedContinuation<Result?, Never>)
            case ended
        }

        private let state = Mutex(State.idle)

        /// Takes the continuation; returns whether there is anything to wait for.
        func wait(with continuation: CheckedContinuation<Result?, Never>) -> Bool {
            let isCancelled = state.withLock { state in
                if case .ended = state { return true }
                state = .waiting(continuation)
                return false
            }
            if isCancelled { continuation.resume(returning: nil) }
            return !isCancelled
        }

        func end(with result: Result?) {
            let continuation = state.withLock { state -> CheckedContinuation<Result?, Never>? in
                defer { state = .ended }
                return if case .waiting(let continuation) = state { continuation } else { nil }
            }
            continuation?.resume(returning: result)
        }
    }
}
