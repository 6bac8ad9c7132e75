internal import Glibc
package import HomeModel
internal import Synchronization

/// A clock of a home.
package protocol HomeClock: Sendable {
    /// The current time of the clock.
    var now: WallInstant { get async }

    /// Waits until the clock shows an instant. It may return earlier, so the caller must check the time again.
    ///
    /// Returns at once when the task is canceled. If `instant` is `nil`, there is no instant to wait for.
    func wait(until instant: WallInstant?) async
}

/// A clock that shows the machine's time of day, but advances with its monotonic clock.
///
/// Small corrections of the machine's time do not make it run faster or backwards. When the machine's time is set to
/// another value, the clock follows.
package final class MachineClock: HomeClock {
    /// The difference, in nanoseconds, from which the machine's time of day counts as having been set.
    private static let tolerance: Int64 = 500_000_000
    /// The maximum wait before the clock checks again whether the machine's time was set.
    private static let maximumWait = Duration.seconds(20)

    private let readings: @Sendable () -> (wall: Int64, monotonic: Int64)
    /// The difference in nanoseconds between the time of day and the monotonic clock.
    private let offset: Mutex<Int64>

    package convenience init() {
        self.init { (wall: Self.read(CLOCK_REALTIME), monotonic: Self.read(CLOCK_BOOTTIME)) }
    }

    /// Creates a clock.
    ///
    /// - Parameter readings: Returns the time of both clocks of a machine, in nanoseconds.
    package init(readings: @escaping @Sendable () -> (wall: Int64, monotonic: Int64)) {
        self.readings = readings
        let (wall, monotonic) = readings()
        offset = Mutex(wall - monotonic)
    }

    package var now: WallInstant {
        let (wall, monotonic) = readings()
        return offset.withLock { offset in
            if abs(wall - monotonic - offset) > Self.tolerance {
                offset = wall - monotonic
            }
            return WallInstant(nanoseconds: monotonic + offset)
        }
    }

    package func wait(until instant: WallInstant?) async {
        let left = instant.map { now.duration(to: $0) } ?? Self.maximumWait
        guard left > .zero else { return }
        try? await Task.sleep(for: min(left, Self.maximumWait), tolerance: .zero)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
