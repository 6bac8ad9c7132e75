package import NIOCore
package import NIOPosix

/// An executor that runs tasks on an event loop.
///
/// A request of the API is then read, answered and written by one thread. Otherwise it would move between the thread of
/// its connection and those of Swift's concurrency, which costs more than the request itself.
package final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    package init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The thread of a process that serves no controller: of its API, and of its drivers.
///
/// It begins with its first use, and never ends. So nothing that an API client or the peer of a driver sends holds up
/// the event loop of a server.
package enum ServiceThread {
    package static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    package static let executor = EventLoopTaskExecutor(group.any())
}
