internal import AsyncPrimitives
internal import Dispatch
internal import Glibc

/// Work that cannot be interrupted, such as reading a large file.
///
/// When its task is canceled, the caller does not wait for the work to end.
package enum UninterruptibleWork {
    /// Returns the result of the work, or `nil` as soon as the task is canceled.
    ///
    /// The work runs outside Swift's cooperative thread pool, so that tasks that handle signals can run meanwhile. When
    /// the task is canceled, the work continues until it ends or the process does, and its result is discarded. It must
    /// have no side effects.
    package static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        if Task.isCancelled { return nil }
        let outcome = OneShot<Result>()
        DispatchQueue.global().async { outcome.set(work()) }
        return await outcome.waitUnlessCancelled()
    }
}

/// Work that reads or writes a disk on behalf of a client, and must not hold up other tasks.
package enum DiskWork {
    /// Performs the work outside Swift's cooperative thread pool, and returns its result.
    ///
    /// A task that is canceled waits, too, because the work can have side effects.
    package static func run<Result: Sendable, Failure: Error>(
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
