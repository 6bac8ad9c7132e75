internal import AsyncPrimitives
internal import Dispatch
internal import Glibc
internal import HAPCore

/// The discovery resources that the servers of a process share: one thread and one browse.
///
/// Create one and pass it to every server. Each server needs a registration: a thread, a connection to the bus and
/// about five file descriptors. Creating a queue costs nothing: threads and connections are created with the first
/// server.
public final class DiscoveryQueue: Sendable {
    let executor: DiscoveryExecutor
    let monitor: ServiceMonitor

    /// Creates the shared resources.
    ///
    /// Call this before the process has other threads that read the environment.
    public init() {
        executor = DiscoveryExecutor()
        monitor = ServiceMonitor(on: executor)
    }
}

/// The executor for calls of the `dns_sd` and Avahi libraries, which runs them on one thread at a time.
///
/// The calls block on the bus, usually for milliseconds, but for 25 seconds if the bus hangs. The calls of one
/// reference must not run concurrently. Creating an executor is cheap, because it uses a thread only while there is
/// work.
final class DiscoveryExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "discovery")

    init() {
        // Avahi's compatibility library prints a banner at its first call unless this variable is set.
        setenv("AVAHI_COMPAT_NOWARN", "1", 1)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// The current time on the clock of ``run(at:_:)``.
    var now: MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }

    /// Runs work on the queue, in the order of the calls.
    func run(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Runs work on the queue at a time.
    func run(at instant: MonotonicInstant, _ work: @escaping @Sendable () -> Void) {
        let deadline = DispatchTime(uptimeNanoseconds: UInt64(clamping: instant.nanoseconds))
        queue.asyncAfter(deadline: deadline, execute: work)
    }
}

extension DiscoveryExecutor {
    /// Runs a query on the queue, and waits for the answer for a limited time.
    ///
    /// If the bus or the daemon hangs, Avahi's library blocks the queue for 25 seconds. This function does not wait for
    /// that.
    ///
    /// - Parameter onTimeout: Returns the answer after the timeout.
    func runQuery<Answer: Sendable>(
        within time: Duration,
        start: @escaping @Sendable (OneShot<Result<Answer, DiscoveryError>>) -> Void,
        onTimeout: @escaping @Sendable () -> Result<Answer, DiscoveryError>
    ) async throws(DiscoveryError) -> Answer {
        let end = OneShot<Result<Answer, DiscoveryError>>()
        run { start(end) }
        // The timer runs on another queue, because this one may be the one that hangs.
        DispatchQueue.global()
            .asyncAfter(deadline: .now() + .nanoseconds(Int(time.clampedNanoseconds))) {
                end.set(onTimeout())
            }
        return try await end.wait().get()
    }
}
