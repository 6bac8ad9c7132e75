import AsyncPrimitives
import Dispatch
import Glibc

/// Work that cannot be interrupted, such as reading a large file.
///
/// When its task is canceled, the caller does not wait for the work to end.
enum UninterruptibleWork {
    /// Returns the result of the work, or `nil` as soon as the task is canceled.
    ///
    /// The work runs outside Swift's cooperative thread pool, so that tasks that handle signals can run meanwhile. When
    /// the task is canceled, the work continues until it ends or the process does, and its result is discarded. It must
    /// have no side effects.
    static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        if Task.isCancelled { return nil }
        let outcome = OneShot<Result>()
        DispatchQueue.global().async { outcome.set(work()) }
        return await outcome.waitUnlessCancelled()
    }
}

/// Work that reads or writes a disk on behalf of a client, and must not hold up other tasks.
enum DiskWork {
    /// Performs the work outside Swift's cooperative thread pool, and returns its result.
    ///
    /// A task that is canceled waits, too, because the work can have side effects.
    static func run<Result: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let outcome = OneShot<Swift.Result<Result, Failure>>()
        DispatchQueue.global()
            .async {
                do throws(Failure) {
                    outcome.set(.success(try work()))
                } catch {
                    outcome.set(.failure(error))
                }
            }
        return try await outcome.wait().get()
    }
}

/// Ends a program that received a signal but cannot end by itself because its output is a full pipe that is not read.
enum ForcedExit {
    /// The time that output may take after a signal.
    private static let outputTimeout = DispatchTimeInterval.seconds(2)

    /// Lets the next signal end the process at once, and ends the process with status 1 after the timeout.
    static func schedule() {
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        DispatchQueue.global().asyncAfter(deadline: .now() + outputTimeout) { _exit(1) }
    }
}
