import Dispatch
import NIOCore
import NIOEmbedded
import Synchronization

/// An event loop on the thread that drives it, with a clock that stands until it is moved.
///
/// It runs the server's actor and everything that the benchmarks start on that one thread, so that the same work takes the
/// same instructions every time. A task of the server that comes back from a thread of Swift's is handed over under a lock.
final class BenchmarkLoop: NIOSerialEventLoopExecutor {
    let embedded = EmbeddedEventLoop()
    /// What is to be run in this turn of the loop.
    private let tasks = Mutex<[@Sendable () -> Void]>([])

    var inEventLoop: Bool {
        embedded.inEventLoop
    }

    var now: NIODeadline {
        embedded.now
    }

    func execute(_ task: @escaping @Sendable () -> Void) {
        tasks.withLock { $0.append(task) }
    }

    /// Ends the turn: runs what was to be run in it.
    func endTurn() {
        var now: [@Sendable () -> Void] = []
        while true {
            now.removeAll(keepingCapacity: true)
            tasks.withLock { swap(&$0, &now) }
            guard !now.isEmpty else { return }
            for task in now {
                task()
            }
        }
    }

    @discardableResult
    func scheduleTask<Value>(
        deadline: NIODeadline,
        _ task: @escaping @Sendable () throws -> Value
    ) -> Scheduled<Value> {
        embedded.scheduleTask(deadline: deadline, task)
    }

    @discardableResult
    func scheduleTask<Value>(
        in delay: TimeAmount,
        _ task: @escaping @Sendable () throws -> Value
    ) -> Scheduled<Value> {
        embedded.scheduleTask(in: delay, task)
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        embedded.shutdownGracefully(queue: queue, callback)
    }

    /// Runs `body` to its end on this thread.
    func wait<Value: Sendable>(for body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = NIOLoopBoundBox<Result<Value, any Error>?>(nil, eventLoop: embedded)
        let queue = TaskQueue(loop: self)
        Task(executorPreference: queue) {
            let result: Result<Value, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            outcome.value = result
        }
        while true {
            if let result = outcome.value {
                return try result.get()
            }
            endTurn()
            embedded.run()
        }
    }

    /// Runs tasks that belong to no actor on the loop too.
    private final class TaskQueue: TaskExecutor {
        private let loop: BenchmarkLoop

        init(loop: BenchmarkLoop) {
            self.loop = loop
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop.execute {
                job.runSynchronously(on: self.asUnownedTaskExecutor())
            }
        }
    }
}
