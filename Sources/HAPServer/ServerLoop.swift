internal import NIOCore
internal import NIOPosix

/// An event loop that several servers share with the tasks that drive them.
///
/// A task that prefers it as its executor runs on the servers' thread. While time is simulated, that saves waking another
/// thread twice for each step.
package final class ServerLoop: TaskExecutor {
    let eventLoop: any EventLoop & NIOSerialEventLoopExecutor

    /// Chooses one of the process's event loops.
    package convenience init() {
        self.init(Self.next(of: .singleton))
    }

    init(_ eventLoop: any EventLoop & NIOSerialEventLoopExecutor) {
        self.eventLoop = eventLoop
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    static func next(of group: MultiThreadedEventLoopGroup) -> any EventLoop & NIOSerialEventLoopExecutor {
        guard let loop = group.next() as? any EventLoop & NIOSerialEventLoopExecutor else {
            preconditionFailure("an event loop of NIOPosix is a serial executor")
        }
        return loop
    }
}
