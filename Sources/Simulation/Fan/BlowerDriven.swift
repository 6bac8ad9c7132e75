package import AccessoryModel
package import HAPCore

/// A device that turns a ``Blower`` as its characteristics want it, and tells what that does.
package protocol BlowerDriven: EventDriven {
    /// The characteristics that start and stop it, of which a service has one, each with what it is while nothing is known.
    static var switches: [BehaviorChange] { get }
    /// The characteristic that chooses between by hand and automatic.
    static var target: CharacteristicType { get }
    /// The characteristic that tells what the blower does.
    static var current: CharacteristicType { get }

    /// What turns.
    var blower: Blower { get set }
}

extension BlowerDriven {
    package mutating func restore(at now: MonotonicInstant) {
        for off in Self.switches where values.state(off.type) == nil {
            values.set(off.type, off.value)
        }
        if values.state(Self.target) == nil {
            values.set(Self.target, 0)
        }
        values.fill(.rotationSpeed, 100)
        blower.begin(with: wish, at: now)
        tell()
    }

    package var nextEvent: MonotonicInstant? { blower.event }

    package mutating func happen(at due: MonotonicInstant) {
        blower.happen(at: due)
        tell()
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        blower.follow(wish, at: now)
        tell()
    }

    package mutating func skip(_ duration: Duration) {
        blower.skip(duration)
    }

    /// Answers with how fast the blades turn as `speed`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("speed", settled(at: now).blower.speed(at: now), unit: "%")]
    }

    private var wish: Blower.Wish {
        Blower.Wish(
            isOn: Self.switches.lazy.compactMap { values.state($0.type) }.first ?? false,
            isAutomatic: values.state(Self.target) ?? false,
            speed: values.number(.rotationSpeed) ?? 100
        )
    }

    private mutating func tell() {
        values.set(Self.current, choice: blower.current)
    }
}
