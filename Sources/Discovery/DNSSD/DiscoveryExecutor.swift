internal import Dispatch
internal import Glibc
internal import HAPCore

/// The one thread on which a process talks to the `dns_sd` library.
///
/// Its calls block on the bus, for milliseconds as a rule and for 25 seconds when the bus hangs, and every call of a
/// reference has to come from one thread. Making it costs nothing: the thread exists while there is work.
final class DiscoveryExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "discovery")

    init() {
        // Avahi's compatibility library prints a banner on its first call unless it is told not to.
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

    /// The time on the clock that ``run(at:_:)`` goes by.
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
