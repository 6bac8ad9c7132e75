import Dispatch
import NIOCore
import NIOEmbedded
import Synchronization

/// An event loop on the current thread, with a clock that moves only on request.
///
/// The server's actor, and all tasks that the benchmarks start, run on this thread. The same work therefore takes the
/// same instructions every time. A task of the server that returns from one of Swift's threads is added under a lock.
final class BenchmarkLoop: NIOSerialEventLoopExecutor {
    let embedded = EmbeddedEventLoop()
    /// The tasks of this turn of the loop.
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

    /// Ends the turn by running its tasks.
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
