import AsyncPrimitives
import Dispatch

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
        if Task.isCancelled { return nil }
        let outcome = OneShot<Result>()
        DispatchQueue.global().async { outcome.set(work()) }
        return await outcome.waitUnlessCancelled()
    }
}
