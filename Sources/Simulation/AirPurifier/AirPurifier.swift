package import AccessoryModel
package import HAPCore

/// An air purifier that takes a while to get up to speed.
///
/// * Active starts and stops it; Rotation Speed, where the service has it, is how fast it turns.
/// * Current Air Purifier State is 0 inactive, 1 idle while it gets up to speed, stands at speed 0 or rests, and 2
///   purifying.
/// * While Target Air Purifier State is 1, automatic, it purifies for a while and rests for a while.
///
/// The life of its filter is the ``FilterLife`` of the accessory's Filter Maintenance service.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct AirPurifier: EventDriven {
    package static let rules: [CharacteristicType: WriteRule] = [
        .active: .state, .rotationSpeed: .number, .targetAirPurifierState: .state, .currentAirPurifierState: .measured,
    ]
    package static let required: [CharacteristicType] = [.active, .targetAirPurifierState, .currentAirPurifierState]

    package var values = ServiceValues(Self.required)
    private var blower: Blower

    /// Creates an air purifier that stands still.
    package init(_ configuration: BlowerConfiguration = BlowerConfiguration()) {
        blower = Blower(configuration)
    }

    package mutating func restore(at now: MonotonicInstant) {
        for type in [CharacteristicType.active, .targetAirPurifierState] where values.state(type) == nil {
            values.set(type, 0)
        }
        blower.begin(with: wish, at: now)
        values.set(.currentAirPurifierState, choice: blower.current)
    }

    package var nextEvent: MonotonicInstant? { blower.event }

    package mutating func happen(at due: MonotonicInstant) {
        blower.happen(at: due)
        values.set(.currentAirPurifierState, choice: blower.current)
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        blower.follow(wish, at: now)
        values.set(.currentAirPurifierState, choice: blower.current)
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
            isOn: values.state(.active) ?? false,
            isAutomatic: values.state(.targetAirPurifierState) ?? false,
            speed: values.number(.rotationSpeed) ?? 100
        )
    }
}
