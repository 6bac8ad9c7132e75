internal import AccessoryModel
package import HomeModel
internal import Synchronization

/// The time in the servers of this process: that of the behaviors, so that it is fast, slow or stands still as theirs.
///
/// While theirs goes as the world's does, it goes as the machine's time of day: it follows when that is set, and when the
/// machine has slept. How far both are apart since the behaviors' went otherwise stays.
package final class InProcessClock: HomeClock {
    /// How long is waited before a look whether the clock goes otherwise.
    private static let maximumWait = Duration.seconds(1)

    private struct TimeReading {
        var clock: BehaviorClock
        /// What the world showed, without the machine.
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
