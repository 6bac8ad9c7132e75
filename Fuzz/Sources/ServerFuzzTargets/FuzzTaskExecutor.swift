/// A task executor that runs tasks without an actor on the loop too, so that the same input always takes the same path.
final class FuzzTaskExecutor: TaskExecutor {
    private let loop: FuzzEventLoop

    init(_ loop: FuzzEventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
