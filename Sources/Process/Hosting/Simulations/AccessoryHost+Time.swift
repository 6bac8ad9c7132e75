package import AccessoryModel
internal import AsyncPrimitives
package import HAPCore
internal import HAPServer
package import Simulation

/// The common time of all servers.
extension AccessoryHost {
    /// The time of the simulation's clock, which is the first server's.
    package var now: MonotonicInstant {
        get async { await servers.first?.server.behaviorTime ?? .zero }
    }

    /// The earliest time at which a device has a scheduled event; `nil` if there is none.
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

    /// Advances the time of all servers and the home together when it is the turn of this task, jumping from event to
    /// event.
    ///
    /// - Parameter hear: Receives the time of the clock after each step.
    /// - Throws: ``SimulationError`` if the task was canceled before the end.
    package func advance(
        by duration: Duration,
        onStep hear: (MonotonicInstant) -> Void = { _ in }
    ) async throws(SimulationError) {
        guard await turns.acquireUnlessCancelled() else { throw .cancelled }
        defer { turns.release() }
        // Without a server, there is no clock that could reach the target.
        guard !servers.isEmpty else { return }
        // The clocks are paused, so that the home does not see time pass between two events.
        let home = home
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

    /// Returns the time of the next event of a device, of the home's deadline, or of the limit, whichever is earliest.
    func nextStep(
        after now: MonotonicInstant,
        until limit: MonotonicInstant,
        deadline: MonotonicInstant?
    ) async -> MonotonicInstant {
        let next = min(limit, await nextDeadline ?? limit, deadline ?? limit)
        // Advances by at least one millisecond, because a device that is always due would otherwise stop time.
        return next > now ? next : min(limit, now.advanced(by: .milliseconds(1)))
    }

    func jump(to target: MonotonicInstant) async {
        for member in servers {
            await member.server.changeBehaviorClock { clock, now in clock.jump(to: target, at: now) }
        }
    }

    /// Handles what is due in devices at a time or before, without waiting for timers.
    func handleDueEvents(through time: MonotonicInstant) async {
        for member in servers {
            await member.server.handleDueEvents(through: time)
        }
    }

    /// Changes the clocks of all servers when it is the turn of this task.
    ///
    /// - Throws: ``SimulationError`` if the task is canceled before its turn.
    func changeClocksInTurn(
        _ change: @Sendable (inout BehaviorClock, MonotonicInstant) -> Void
    ) async throws(SimulationError) {
        guard await turns.acquireUnlessCancelled() else { throw .cancelled }
        defer { turns.release() }
        await changeClocks(change)
    }

    /// Changes the clocks of all servers.
    package func changeClocks(_ change: @Sendable (inout BehaviorClock, MonotonicInstant) -> Void) async {
        for member in servers {
            await member.server.changeBehaviorClock(change)
        }
    }

    /// Returns the real time until the simulation's clock reaches a time; `nil` while the clock is paused.
    func delay(until time: MonotonicInstant) async -> Duration? {
        await servers.first?.server.behaviorDelay(until: time)
    }

    /// Pauses the clocks of all servers at the same time, and returns the servers whose clocks were running.
    @discardableResult
    func stopClocks() async -> [HostedServer] {
        var going: [HostedServer] = []
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
