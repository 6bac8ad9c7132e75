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
package struct PositionActuator: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .targetPosition: .number, .currentPosition: .readOnly, .positionState: .readOnly, .holdPosition: .boolean,
        .obstructionDetected: .readOnly, .targetHorizontalTiltAngle: .number, .currentHorizontalTiltAngle: .readOnly,
        .targetVerticalTiltAngle: .number, .currentVerticalTiltAngle: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.targetPosition, .currentPosition, .positionState]

    package var values = ServiceValues(Self.required)
    /// The position, and the tilts of the slats.
    private var axes: [Axis]
    private var isObstructed = false

    /// The index of the position.
    private static let positionAxis = 0

    /// Creates a device at 0 %.
    init(_ configuration: Configuration = Configuration()) {
        let step = configuration.step.isNaN ? 10 : min(max(configuration.step, 1), 100)
        axes = [
            Axis(
                name: "position",
                unit: "%",
                target: .targetPosition,
                current: .currentPosition,
                range: 0...100,
                travel: configuration.travel,
                step: step
            )
        ]
        let tilts: [(String, CharacteristicType, CharacteristicType)] = [
            ("horizontalTilt", .targetHorizontalTiltAngle, .currentHorizontalTiltAngle),
            ("verticalTilt", .targetVerticalTiltAngle, .currentVerticalTiltAngle),
        ]
        axes += tilts.map { name, target, current in
            Axis(
                name: name,
                unit: "°",
                target: target,
                current: current,
                range: -90...90,
                travel: configuration.tiltTravel,
                step: 30
            )
        }
    }

    /// Lets it be where its targets say.
    ///
    /// What was under way has ended. One that is obstructed is where it was halted.
    package mutating func restore(at now: MonotonicInstant) {
        isObstructed = values.bool(.obstructionDetected) ?? false
        for index in axes.indices {
            let (target, current) = (values.number(axes[index].target), values.number(axes[index].current))
            let isHalted = index == Self.positionAxis && isObstructed
            setResting(index, at: (isHalted ? current ?? target : target ?? current) ?? 0)
        }
        values.set(.obstructionDetected, .bool(isObstructed))
    }

    package var nextEvent: MonotonicInstant? {
        axes.lazy.compactMap(\.motion.nextEvent).min()
    }

    package mutating func handleEvent(at due: MonotonicInstant) {
        for index in axes.indices {
            axes[index].motion.settle(at: due)
            values.set(axes[index].current, integer: axes[index].reportedValue)
        }
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        for write in writes {
            if write.type == .targetPosition, isObstructed {
                values.set(.targetPosition, integer: Int(axes[Self.positionAxis].motion.goal))
            } else if let index = axes.firstIndex(where: { $0.target == write.type }) {
                drive(index, at: now)
            } else if write.type == .holdPosition, write.value.coercedBool == true {
                halt(at: now)
            }
        }
    }

    package mutating func handle(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        switch command {
        case .stop:
            halt(at: now)
        case .obstruct:
            isObstructed = true
            values.set(.obstructionDetected, .bool(true))
            halt(Self.positionAxis, at: now)
        case .clearObstruction:
            isObstructed = false
            values.set(.obstructionDetected, .bool(false))
        case .press, .applySensorInput:
            return false
        }
        return true
    }

    package mutating func updateValues() {
        let state =
            switch axes[Self.positionAxis].motion {
            case .resting: 2
            case .moving(let travel): travel.isRising ? 1 : 0
            }
        values.set(.positionState, integer: state)
    }

    /// Answers with how far it is open as `positionAxis`, in percent, and with the slats' angles where it has some.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        advanced(to: now).axes.filter { $0.target == .targetPosition || values.contains($0.current) }
            .map { BehaviorReading($0.name, $0.motion.value(at: now), unit: $0.unit) }
    }

    /// Sends an axis to its target from where it is.
    private mutating func drive(_ index: Int, at now: MonotonicInstant) {
        let axis = axes[index]
        let goal = axis.clamped(values.number(axis.target) ?? axis.motion.goal)
        guard goal != axis.motion.goal else { return }
        let way = (length: axis.range.upperBound - axis.range.lowerBound, duration: axis.travel)
        axes[index].motion = .moving(
            SteppedTravel(from: axis.motion.value(at: now), to: goal, at: now, rate: way, step: axis.step)
        )
    }

    private mutating func halt(at now: MonotonicInstant) {
        for index in axes.indices { halt(index, at: now) }
    }

    /// Leaves an axis at the whole number next to where it is, its target included.
    private mutating func halt(_ index: Int, at now: MonotonicInstant) {
        if case .moving(let travel) = axes[index].motion {
            setResting(index, at: travel.value(at: now))
        }
    }

    private mutating func setResting(_ index: Int, at place: Double) {
        axes[index].motion = .resting(axes[index].clamped(place))
        values.set(axes[index].target, integer: axes[index].reportedValue)
        values.set(axes[index].current, integer: axes[index].reportedValue)
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
    private struct Axis: Sendable {
        /// The name and the unit of its reading.
        let name: String
        let unit: String
        /// The characteristics that it follows and moves.
        let target: CharacteristicType
        let current: CharacteristicType
        /// From end to end.
        let range: ClosedRange<Double>
        /// What the whole way takes.
        let travel: Duration
        /// At which multiples the current value changes on the way.
        let step: Double
        var motion = SteppedMotion.resting(0)

        /// The current value.
        var reportedValue: Int { Int(clamped(motion.reportedValue)) }

        /// A whole number of its unit within its range; not a number becomes the nearest to 0.
        func clamped(_ value: Double) -> Double {
            let value = value.isNaN ? 0 : value.rounded()
            return min(max(value, range.lowerBound), range.upperBound)
        }
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "position",
        "A door, a window or a covering that moves to where it is sent, with its slats.",
        services: [.windowCovering, .door, .window],
        requiredTypes: [.targetPosition, .currentPosition, .positionState],
        defaults: Configuration(),
        parameters: [
            .duration("travel", \.travel, "What the whole way takes, from 0 to 100 % as well as back."),
            .duration("tiltTravel", \.tiltTravel, "What slats take from -90° to 90° as well as back."),
            .number("step", \.step, 1...100, "At which multiples of a percentage it is told on the way where it is."),
        ]
    ) { configuration, _ in PositionActuator(configuration) }
}
