internal import Foundation
package import HomeModel
internal import Synchronization

/// What time it is for a home.
package protocol HomeClock: Sendable {
    /// What it shows.
    var now: WallInstant { get async }

    /// Waits until it shows an instant, or about so long that it is worth a look again; returns at once when the task is
    /// cancelled. `nil` is never.
    func wait(until instant: WallInstant?) async
}

/// The machine's time of day, which goes as its monotonic clock does: it neither hurries nor turns back in small things, as a
/// machine's clock does that is corrected, and follows when that is set.
package final class MachineClock: HomeClock {
    /// How far the machine's time of day may be away before it counts as set.
    private static let tolerance: Int64 = 500_000_000
    /// How long is waited before a look whether the clock was set.
    private static let maximumWait = Duration.seconds(20)

    private let readings: @Sendable () -> (wall: Int64, monotonic: Int64)
    /// What is added to the monotonic clock.
    private let offset: Mutex<Int64>

    package convenience init() {
        self.init { (wall: Self.read(CLOCK_REALTIME), monotonic: Self.read(CLOCK_BOOTTIME)) }
    }

    /// - Parameter readings: Both clocks of a machine, in nanoseconds.
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
