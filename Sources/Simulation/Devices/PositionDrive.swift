package import AccessoryModel
package import HAPCore

/// A door, a window or a window covering that moves to where it is sent, with the tilt of its slats.
///
/// * Current Position follows Target Position at an even pace. It changes at each tenth of the whole way, or what else the
///   step is, and at the end, not at every percent: controllers show the way and are not flooded.
/// * Position State is 0 while it goes to smaller values, 1 while to larger ones, and 2 at rest.
/// * A target written on the way sends it there from where it is.
/// * Hold Position `true` and ``BehaviorCommand/stop`` halt it, and its slats; its targets are then where it is.
/// * ``BehaviorCommand/obstruct`` halts it, too. While the obstruction lasts, Obstruction Detected is 1 where the service
///   has it, and a written Target Position is accepted and taken back at once: the drive does not push.
/// * Tilts move by themselves, each at its own even pace, and are told at each 30° and at the end.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: `format.md`, where what Apple's simulator copies after a second travels here
package struct PositionDrive: EventDriven {
    package static let rules: WriteRules = [
        .targetPosition: .number, .currentPosition: .measured, .positionState: .measured, .holdPosition: .state,
        .obstructionDetected: .measured, .targetHorizontalTiltAngle: .number, .currentHorizontalTiltAngle: .measured,
        .targetVerticalTiltAngle: .number, .currentVerticalTiltAngle: .measured,
    ]
    package static let required: [CharacteristicType] = [.targetPosition, .currentPosition, .positionState]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var position = SteppedMotion.resting(0)
    private var horizontalTilt = SteppedMotion.resting(0)
    private var verticalTilt = SteppedMotion.resting(0)
    private var isObstructed = false

    /// Creates a device at 0 %.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Lets it be where its targets say.
    ///
    /// What was under way has ended. One that is obstructed is where it was halted.
    package mutating func restore(at now: MonotonicInstant) {
        isObstructed = values.state(.obstructionDetected) ?? false
        let kept = isObstructed ? values.number(.currentPosition) : values.number(.targetPosition)
        let place = Axis.position.place(
            kept ?? values.number(.currentPosition) ?? values.number(.targetPosition) ?? 0
        )
        position = .resting(place)
        values.set(.targetPosition, choice: Int(place))
        tell(position, of: .position)
        horizontalTilt = restored(.horizontalTilt)
        verticalTilt = restored(.verticalTilt)
        values.set(.obstructionDetected, .bool(isObstructed))
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(position.event, horizontalTilt.event, verticalTilt.event)
    }

    package mutating func happen(at due: MonotonicInstant) {
        position.settle(at: due)
        horizontalTilt.settle(at: due)
        verticalTilt.settle(at: due)
        tell(position, of: .position)
        tell(horizontalTilt, of: .horizontalTilt)
        tell(verticalTilt, of: .verticalTilt)
    }

    package mutating func follow(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        for write in writes {
            switch write.type {
            case .targetPosition:
                if isObstructed {
                    values.set(.targetPosition, choice: Int(position.goal))
                } else {
                    position = driven(position, of: .position, taking: (100, configuration.travel), step: step, at: now)
                }
            case .targetHorizontalTiltAngle:
                horizontalTilt = driven(
                    horizontalTilt,
                    of: .horizontalTilt,
                    taking: (180, configuration.tiltTravel),
                    step: 30,
                    at: now
                )
            case .targetVerticalTiltAngle:
                verticalTilt = driven(
                    verticalTilt,
                    of: .verticalTilt,
                    taking: (180, configuration.tiltTravel),
                    step: 30,
                    at: now
                )
            case .holdPosition:
                if write.value.isSwitchedOn == true { halt(at: now) }
            default:
                break
            }
        }
    }

    package mutating func obey(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        switch command {
        case .stop:
            halt(at: now)
        case .obstruct:
            isObstructed = true
            values.set(.obstructionDetected, .bool(true))
            position = halted(position, of: .position, at: now)
        case .clearObstruction:
            isObstructed = false
            values.set(.obstructionDetected, .bool(false))
        case .press, .sense:
            return false
        }
        return true
    }

    /// Answers with how far it is open as `position`, in percent, and with the slats' angles where it has some.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        let device = settled(at: now)
        var readings = [BehaviorReading("position", device.position.value(at: now), unit: "%")]
        if values.contains(Axis.horizontalTilt.current) {
            readings.append(BehaviorReading("horizontalTilt", device.horizontalTilt.value(at: now), unit: "°"))
        }
        if values.contains(Axis.verticalTilt.current) {
            readings.append(BehaviorReading("verticalTilt", device.verticalTilt.value(at: now), unit: "°"))
        }
        return readings
    }
}

// MARK: - Motion

extension PositionDrive {
    private var step: Double {
        configuration.step.isNaN ? 10 : min(max(configuration.step, 1), 100)
    }

    /// Sends an axis to its target from where it is.
    private func driven(
        _ motion: SteppedMotion,
        of axis: Axis,
        taking way: (length: Double, duration: Duration),
        step: Double,
        at now: MonotonicInstant
    ) -> SteppedMotion {
        let goal = axis.place(values.number(axis.target) ?? motion.goal)
        guard goal != motion.goal else { return motion }
        return .moving(SteppedTravel(from: motion.value(at: now), to: goal, at: now, way: way, step: step))
    }

    private mutating func halt(at now: MonotonicInstant) {
        position = halted(position, of: .position, at: now)
        horizontalTilt = halted(horizontalTilt, of: .horizontalTilt, at: now)
        verticalTilt = halted(verticalTilt, of: .verticalTilt, at: now)
    }

    /// Leaves an axis at the whole number next to where it is, its target included.
    private mutating func halted(_ motion: SteppedMotion, of axis: Axis, at now: MonotonicInstant) -> SteppedMotion {
        guard case .moving = motion else { return motion }
        return resting(axis, at: motion.value(at: now))
    }

    /// Leaves an axis where its target says, and else where it was.
    private mutating func restored(_ axis: Axis) -> SteppedMotion {
        resting(axis, at: values.number(axis.target) ?? values.number(axis.current) ?? 0)
    }

    private mutating func resting(_ axis: Axis, at place: Double) -> SteppedMotion {
        let rest = SteppedMotion.resting(axis.place(place))
        values.set(axis.target, choice: Int(rest.goal))
        tell(rest, of: axis)
        return rest
    }

    private mutating func tell(_ motion: SteppedMotion, of axis: Axis) {
        values.set(axis.current, choice: Int(axis.place(motion.shown)))
    }

    package mutating func tell() {
        let state =
            switch position {
            case .resting: 2
            case .moving(let travel): travel.isRising ? 1 : 0
            }
        values.set(.positionState, choice: state)
    }

    /// How a door, a window or a covering is built.
    package struct Configuration: Sendable, Hashable {
        /// What the whole way takes, from 0 to 100 % as well as back.
        ///
        /// 20 s by default; 0 or less makes every movement immediate.
        package var travel = Duration.seconds(20)
        /// What slats take from −90° to 90° as well as back.
        ///
        /// 3 s by default; 0 or less makes every tilt immediate.
        package var tiltTravel = Duration.seconds(3)
        /// At which multiples of a percentage Current Position changes on the way, besides the end; 10 by default, at
        /// least 1.
        package var step: Double = 10
    }

    /// Something that is driven between two ends: a position or the tilt of slats.
    struct Axis: Sendable {
        /// The characteristics that it follows and moves.
        let target: CharacteristicType
        let current: CharacteristicType
        /// From end to end.
        let range: ClosedRange<Double>

        static let position = Axis(target: .targetPosition, current: .currentPosition, range: 0...100)
        static let horizontalTilt = Axis(
            target: .targetHorizontalTiltAngle,
            current: .currentHorizontalTiltAngle,
            range: -90...90
        )
        static let verticalTilt = Axis(
            target: .targetVerticalTiltAngle,
            current: .currentVerticalTiltAngle,
            range: -90...90
        )

        /// A whole number of its unit within its range; not a number becomes the nearest to 0.
        func place(_ value: Double) -> Double {
            let value = value.isNaN ? 0 : value.rounded()
            return min(max(value, range.lowerBound), range.upperBound)
        }
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "position",
        "A door, a window or a covering that moves to where it is sent, with its slats.",
        services: [.windowCovering, .door, .window],
        needs: [.targetPosition, .currentPosition, .positionState],
        standard: Configuration(),
        parameters: [
            .duration("travel", \.travel, "What the whole way takes, from 0 to 100 % as well as back."),
            .duration("tiltTravel", \.tiltTravel, "What slats take from -90° to 90° as well as back."),
            .number("step", \.step, 1...100, "At which multiples of a percentage it is told on the way where it is."),
        ]
    ) { configuration, _ in PositionDrive(configuration) }
}
