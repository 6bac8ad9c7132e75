package import AccessoryModel
package import HAPCore

/// A fan that takes a while to get up to speed, of either of the two service types.
///
/// * Active, or On of the older type, starts and stops it; Rotation Speed, where the service has it, is how fast it turns.
/// * Current Fan State, where the service has it, is 0 inactive, 1 idle while it gets up to speed, stands at speed 0 or rests,
///   and 2 blowing.
/// * While Target Fan State is 1, automatic, it blows for a while and rests for a while.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Fan: EventDriven {
    package static let rules: [CharacteristicType: WriteRule] = [
        .active: .state, .on: .state, .rotationSpeed: .number, .targetFanState: .state, .currentFanState: .measured,
    ]
    /// Which characteristic starts it depends on the service's type.
    package static let required: [CharacteristicType] = []

    package var values = ServiceValues()
    private var blower: Blower

    /// Creates a fan that stands still.
    package init(_ configuration: BlowerConfiguration = BlowerConfiguration()) {
        blower = Blower(configuration)
    }

    package mutating func restore(at now: MonotonicInstant) {
        blower.begin(with: wish, at: now)
        values.set(.currentFanState, choice: blower.current)
    }

    package var nextEvent: MonotonicInstant? { blower.event }

    package mutating func happen(at due: MonotonicInstant) {
        blower.happen(at: due)
        values.set(.currentFanState, choice: blower.current)
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        blower.follow(wish, at: now)
        values.set(.currentFanState, choice: blower.current)
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
            isOn: values.state(.active) ?? values.state(.on) ?? false,
            isAutomatic: values.state(.targetFanState) ?? false,
            speed: values.number(.rotationSpeed) ?? 100
        )
    }
}
