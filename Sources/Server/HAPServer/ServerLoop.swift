internal import HAPCore
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// An event loop that several servers share with the tasks that drive them.
///
/// A task that prefers it as its executor runs on the servers' thread. While time is simulated, that saves waking another
/// thread twice for each step.
package final class ServerLoop: TaskExecutor {
    /// The nanoseconds after which the tasks pause for the connections of the servers.
    private static let pauseInterval: Int64 = 2_000_000

    private let pauses: Bool
    private let lastPause = Atomic<Int64>(0)
    let eventLoop: any EventLoop & NIOSerialEventLoopExecutor

    /// Chooses one of the process's event loops.
    package convenience init() {
        self.init(Self.next(of: .singleton), pauses: true)
    }

    /// - Parameter pauses: Whether tasks that never wait leave time for the connections.
    init(_ eventLoop: any EventLoop & NIOSerialEventLoopExecutor, pauses: Bool) {
        self.eventLoop = eventLoop
        self.pauses = pauses
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard pauses else { return run(job) }
        let now = MonotonicInstant.now.nanoseconds
        guard now - lastPause.load(ordering: .relaxed) > Self.pauseInterval else { return run(job) }
        lastPause.store(now, ordering: .relaxed)
        // NIO reads from its sockets only when no job waits, and such tasks always have a next one.
        NIOThreadPool.singleton.submit { _ in self.run(job) }
    }

    private func run(_ job: UnownedJob) {
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    static func next(of group: MultiThreadedEventLoopGroup) -> any EventLoop & NIOSerialEventLoopExecutor {
        guard let loop = group.next() as? any EventLoop & NIOSerialEventLoopExecutor else {
            preconditionFailure("an event loop of NIOPosix is a serial executor")
        }
        return loop
    }
}
