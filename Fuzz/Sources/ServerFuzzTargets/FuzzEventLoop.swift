import Dispatch
import Glibc
import NIOCore
import Synchronization

/// An event loop that runs on the fuzzer's thread on request, with a clock that moves on request.
final class FuzzEventLoop: NIOSerialEventLoopExecutor {
    private struct Timer {
        let deadline: NIODeadline
        let body: @Sendable () -> Void
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        var tasks: [@Sendable () -> Void] = []
        var timers: [UInt64: Timer] = [:]
        var lastTimer: UInt64 = 0
    }

    private let thread = pthread_self()
    private let state = Mutex(State())
    /// Signaled for each task that another thread adds.
    private let arrival = DispatchSemaphore(value: 0)

    var inEventLoop: Bool {
        pthread_equal(thread, pthread_self()) != 0
    }

    var now: NIODeadline {
        state.withLock { $0.now }
    }

    func execute(_ task: @escaping @Sendable () -> Void) {
        state.withLock { $0.tasks.append(task) }
        if !inEventLoop {
            arrival.signal()
        }
    }

    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        let timer = Timer(
            deadline: deadline,
            body: {
                do {
                    promise.assumeIsolated().succeed(try task())
                } catch {
                    promise.fail(error)
                }
            },
            cancel: { promise.fail(EventLoopError.cancelled) }
        )
        let number = state.withLock { state in
            state.lastTimer += 1
            state.timers[state.lastTimer] = timer
            return state.lastTimer
        }
        return Scheduled(promise: promise) { [weak self] in
            self?.state.withLock { $0.timers[number] = nil }
        }
    }

    func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + delay, task)
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        queue.async { callback(nil) }
    }

    /// Runs all tasks, and the tasks that they add.
    func run() {
        while true {
            let tasks = state.withLock { state in
                defer { state.tasks = [] }
                return state.tasks
            }
            guard !tasks.isEmpty else { return }
            for task in tasks {
                task()
            }
        }
    }

    /// Advances time to the next timer and runs it, if it fires within this amount of time; returns whether there was
    /// one.
    func runTimer(within amount: TimeAmount) -> Bool {
        guard let body = nextTimer(before: now + amount) else { return false }
        body()
        run()
        return true
    }

    /// Runs until a condition holds, and waits for other threads if necessary.
    ///
    /// Ends the process after a timeout.
    func run(until what: String, _ condition: () -> Bool) {
        let deadline = DispatchTime.now() + .seconds(8)
        while true {
            run()
            if condition() { return }
            // Not every change is signaled by a task: another thread may just release an object.
            if arrival.wait(timeout: .now() + .milliseconds(1)) == .timedOut, DispatchTime.now() > deadline {
                fatalError("does not hold: \(what), in the end")
            }
        }
    }

    /// Advances time.
    func advance(by amount: TimeAmount) {
        let end = now + amount
        run()
        while let body = nextTimer(before: end) {
            body()
            run()
        }
        state.withLock { $0.now = end }
    }

    private func nextTimer(before end: NIODeadline) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let next = state.timers.min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
            guard let next, next.value.deadline <= end else { return nil }
            state.timers[next.key] = nil
            state.now = max(state.now, next.value.deadline)
            return next.value.body
        }
    }

    /// Removes every timer, so that none keeps its objects alive.
    func cancelTimers() {
        let timers = state.withLock { state in
            defer { state.timers = [:] }
            return state.timers
        }
        // In debug builds, NIO traps if a promise is not fulfilled.
        for timer in timers.values { timer.cancel() }
    }
}
