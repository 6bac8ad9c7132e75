package import AccessoryModel
package import HAPCore
internal import HAPServer
package import Simulation

/// How time passes in all servers together.
extension SimulationServers {
    /// What the simulation's clock shows: the first server's.
    package var now: MonotonicInstant {
        get async { await servers.first?.server.behaviorTime ?? .zero }
    }

    /// When something moves by itself next; `nil` while nothing does.
    package var nextDeadline: MonotonicInstant? {
        get async {
            var next: MonotonicInstant?
            for member in servers {
                guard let deadline = await member.server.nextBehaviorDeadline else { continue }
                next = min(next ?? deadline, deadline)
            }
            return next
        }
    }

    /// Lets time pass at once, from one thing that is due to the next, in all servers and the home together.
    ///
    /// - Parameter hear: Is told what the clock shows whenever something may have happened.
    /// - Throws: ``SimulationError`` when the task was cancelled before time had come so far.
    package func advance(
        by duration: Duration,
        onStep hear: (MonotonicInstant) -> Void = { _ in }
    ) async throws(SimulationError) {
        // A home must not see them go between two things that are due.
        let going = home == nil ? [] : await stopClocks()
        await home?.beginManualTime()
        var now = await now
        let target = now.advanced(by: duration)
        while now < target, !Task.isCancelled {
            let deadline = await home?.timeToDeadline.map(now.advanced)
            let next = await nextStep(after: now, until: target, deadline: deadline)
            if let home {
                await home.advance(by: now.duration(to: next))
            } else {
                await jump(to: next)
            }
            now = await self.now
            hear(now)
        }
        await home?.endManualTime()
        for member in going {
            await member.server.changeBehaviorClock { clock, now in clock.resume(at: now) }
        }
        if now < target { throw .cancelled }
    }

    /// The next time at which something is due: in a device, at a deadline of a home, or at last at the limit.
    func nextStep(
        after now: MonotonicInstant,
        until limit: MonotonicInstant,
        deadline: MonotonicInstant?
    ) async -> MonotonicInstant {
        let next = min(limit, await nextDeadline ?? limit, deadline ?? limit)
        // What is always due holds time no longer than a millisecond.
        return next > now ? next : min(limit, now.advanced(by: .milliseconds(1)))
    }

    func jump(to target: MonotonicInstant) async {
        for member in servers {
            await member.server.changeBehaviorClock { clock, now in clock.jump(to: target, at: now) }
        }
    }

    /// Changes how the time of every server passes.
    package func changeClocks(_ change: @Sendable (inout BehaviorClock, MonotonicInstant) -> Void) async {
        for member in servers {
            await member.server.changeBehaviorClock(change)
        }
    }

    /// How long the world's time takes until the simulation's clock shows a time; `nil` while it stands still.
    func delay(until time: MonotonicInstant) async -> Duration? {
        await servers.first?.server.behaviorDelay(until: time)
    }

    /// Lets every server's clock stand still, all at the same time; returns those that went before.
    @discardableResult
    func stopClocks() async -> [SimulationServer] {
        var going: [SimulationServer] = []
        for member in servers where await !member.server.behaviorClockSnapshot.clock.isPaused {
            going.append(member)
        }
        await changeClocks { clock, now in clock.pause(at: now) }
        var latest = MonotonicInstant.zero
        for member in servers {
            latest = max(latest, await member.server.behaviorTime)
        }
        await jump(to: latest)
        return going
    }
}
