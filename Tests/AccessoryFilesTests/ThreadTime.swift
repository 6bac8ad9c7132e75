import Glibc

/// The processor time of the current thread, which does not depend on the load of the machine.
struct ThreadTime {
    private let start = Self.processorSeconds()

    /// The processor time in seconds since this value was created.
    var seconds: Double {
        Self.processorSeconds() - start
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
