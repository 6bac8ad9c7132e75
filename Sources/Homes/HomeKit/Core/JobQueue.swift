/// A serial queue of asynchronous jobs.
final class JobQueue: Sendable {
    private let jobs: AsyncStream<@Sendable () async -> Void>.Continuation

    init() {
        let (stream, jobs) = AsyncStream<@Sendable () async -> Void>.makeStream()
        self.jobs = jobs
        Task { for await job in stream { await job() } }
    }

    deinit { jobs.finish() }

    func add(_ job: @escaping @Sendable () async -> Void) { jobs.yield(job) }

    /// Waits until the jobs that were added before are done.
    func finishJobs() async {
        await withCheckedContinuation { continuation in add { continuation.resume() } }
    }
}
