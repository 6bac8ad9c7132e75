import Glibc

/// How long the present thread is at work, whatever else the machine does.
struct ThreadTime {
    private let start = Self.processorSeconds()

    /// Since this value was made.
    var seconds: Double {
        Self.processorSeconds() - start
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
