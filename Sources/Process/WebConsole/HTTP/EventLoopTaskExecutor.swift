internal import NIOCore

/// An executor that runs tasks on an event loop.
///
/// A request of the API is then read, answered and written by one thread. Otherwise it would move between the thread of
/// its connection and those of Swift's concurrency, which costs more than the request itself.
final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
