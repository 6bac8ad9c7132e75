internal import AccessoryModel
package import HomeModel
internal import Synchronization

/// The time in the servers of this process: that of the behaviours, so that it is fast, slow or stands still as theirs.
///
/// While theirs goes as the world's does, it goes as the machine's time of day: it follows when that is set, and when the
/// machine has slept. How far both are apart since the behaviours' went otherwise stays.
package final class ServedClock: HomeClock {
    /// How long is waited before a look whether the clock goes otherwise.
    private static let longestWait = Duration.seconds(1)

    private struct Reading {
        var clock: BehaviorClock
        /// What the world showed, without the machine.
        var world: WallInstant
        var machine: WallInstant
        var shown: WallInstant
    }

    private let world: ServedWorld
    private let machine: MachineClock
    private let last = Mutex<Reading?>(nil)

    package init(_ world: ServedWorld, machine: MachineClock = MachineClock()) {
        self.world = world
        self.machine = machine
    }

    package var now: WallInstant {
        get async { await read().shown }
    }

    package func wait(until instant: WallInstant?) async {
        var left = Self.longestWait
        if let instant {
            let reading = await read()
            let ahead = reading.shown.duration(to: instant)
            if let delay = await world.delay(until: reading.world.advanced(by: ahead)) {
                left = min(left, delay)
            }
        }
        guard left > .zero else { return }
        try? await Task.sleep(for: left, tolerance: .zero)
    }

    private func read() async -> Reading {
        guard let (clock, world) = await world.reading else {
            let now = machine.now
            return Reading(clock: BehaviorClock(), world: await self.world.now, machine: now, shown: now)
        }
        let machine = machine.now
        return last.withLock { last in
            var reading = Reading(clock: clock, world: world, machine: machine, shown: world)
            if let last {
                let goesWithTheWorld = clock == last.clock && clock.scale == 1 && !clock.isPaused
                reading.shown = last.shown.advanced(
                    by: goesWithTheWorld
                        ? last.machine.duration(to: machine) : last.world.duration(to: world)
                )
            }
            last = reading
            return reading
        }
    }
}
