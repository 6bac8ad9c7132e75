internal import AccessoryModel
package import HAPCore
internal import HAPServer
package import HomeModel

extension ServedWorld: SteppedWorld {
    package var now: WallInstant {
        get async {
            guard let server = members.first?.member.server else { return start }
            return wall(await server.behaviorTime)
        }
    }

    /// What the clock shows, and the clock; `nil` without a server.
    var reading: (clock: BehaviorClock, now: WallInstant)? {
        get async {
            guard let reading = await members.first?.member.server.behaviorReading else { return nil }
            return (reading.clock, wall(reading.time))
        }
    }

    package var nextMotion: WallInstant? {
        get async {
            var next: WallInstant?
            for (_, member) in members {
                guard let deadline = await member.server.nextBehaviorDeadline else { continue }
                next = min(next ?? .distantFuture, wall(deadline))
            }
            return next
        }
    }

    /// Jumps with every server's clock, one after the other; the clocks must stand still for the world to be the same twice.
    package func advance(to instant: WallInstant) async {
        let target = time(of: instant)
        for (_, member) in members {
            await member.server.changeBehaviorClock { clock, now in clock.jump(to: target, at: now) }
        }
    }

    /// How long the machine's time takes until the home's is there; `nil` while the clock stands still.
    func delay(until instant: WallInstant) async -> Duration? {
        await members.first?.member.server.behaviorDelay(until: time(of: instant))
    }

    /// What the home's clock shows at a time of the behaviours.
    package func wall(_ time: MonotonicInstant) -> WallInstant {
        start.advanced(by: origin.duration(to: time))
    }

    /// The behaviours' time at which the home's clock shows an instant.
    package func time(of instant: WallInstant) -> MonotonicInstant {
        origin.advanced(by: start.duration(to: instant))
    }
}

extension WallInstant {
    /// The end of the range.
    static var distantFuture: WallInstant { WallInstant(nanoseconds: .max) }
}
