internal import AccessoryModel
package import HomeModel
package import HomeRuntime
internal import Synchronization

/// The clock of the servers in this process.
///
/// It shows the time of the behaviors, so it can be fast, slow or paused like their clock. While their clock runs in
/// real time, this clock follows the machine's time of day, even if that is set or the machine was suspended. If the
/// clock has run at another speed before, the resulting difference from the time of day remains.
package final class InProcessClock: HomeClock {
    /// The maximum wait before the clock checks again whether its speed has changed.
    private static let maximumWait = Duration.seconds(1)

    private struct TimeReading {
        var clock: BehaviorClock
        /// The time of the backend, without the corrections from the machine's clock.
        var backendTime: WallInstant
        var machineTime: WallInstant
        var shownTime: WallInstant
    }

    private let backend: InProcessBackend
    private let machine: MachineClock
    private let last = Mutex<TimeReading?>(nil)

    package init(_ world: InProcessBackend, machine: MachineClock = MachineClock()) {
        self.backend = world
        self.machine = machine
    }

    package var now: WallInstant {
        get async { await read().shownTime }
    }

    package func wait(until instant: WallInstant?) async {
        var left = Self.maximumWait
        if let instant {
            let reading = await read()
            let ahead = reading.shownTime.duration(to: instant)
            if let delay = await backend.machineDelay(until: reading.backendTime.advanced(by: ahead)) {
                left = min(left, delay)
            }
        }
        guard left > .zero else { return }
        try? await Task.sleep(for: left, tolerance: .zero)
    }

    private func read() async -> TimeReading {
        guard let (clock, world) = await backend.clockReading else {
            let now = machine.now
            return TimeReading(
                clock: BehaviorClock(),
                backendTime: await self.backend.now,
                machineTime: now,
                shownTime: now
            )
        }
        let machine = machine.now
        return last.withLock { last in
            var reading = TimeReading(clock: clock, backendTime: world, machineTime: machine, shownTime: world)
            if let last {
                let goesWithTheWorld = clock == last.clock && clock.scale == 1 && !clock.isPaused
                reading.shownTime = last.shownTime.advanced(
                    by: goesWithTheWorld
                        ? last.machineTime.duration(to: machine) : last.backendTime.duration(to: world)
                )
            }
            last = reading
            return reading
        }
    }
}
