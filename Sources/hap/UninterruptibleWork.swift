import AsyncPrimitives
import Dispatch
import Glibc

/// Work that cannot be interrupted, such as reading a large file.
///
/// Nothing waits for its end once its task is cancelled.
enum UninterruptibleWork {
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

/// What ends a program that was told to end and cannot: its output is a pipe that is full, and nobody reads on.
enum ForcedExit {
    /// How long output may take after a signal.
    private static let outputTimeout = DispatchTimeInterval.seconds(2)

    /// Lets the next signal end the process at once, and ends it with status 1 when it is still there after a while.
    static func schedule() {
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        DispatchQueue.global().asyncAfter(deadline: .now() + outputTimeout) { _exit(1) }
    }
}
