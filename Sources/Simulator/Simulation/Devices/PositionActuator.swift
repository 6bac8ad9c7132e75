package import AccessoryModel
package import HAPCore

/// A door, a window or a window covering that moves to its target, with the tilt of its slats.
///
/// * Current Position follows Target Position at constant speed. It is reported at each multiple of the configured
///   step, 10 % by default, and at the end. So controllers can show the movement without being flooded with events.
/// * Position State is 0 while the position decreases, 1 while it increases, and 2 at rest.
/// * A target written during a movement takes effect from the current position.
/// * Hold Position `true` and ``BehaviorCommand/stop`` stop the device and its slats; the targets become the current
///   values.
/// * ``BehaviorCommand/obstruct`` also stops the position, but not the slats. While the obstruction lasts, Obstruction
///   Detected is 1 if the service has it. A written Target Position is accepted but reverted at once, because the drive
///   cannot move the device.
/// * ``BehaviorCommand/applySensorInput(_:)`` for a current value moves the device by hand, and the target follows.
/// * Each tilt moves independently at its own constant speed, and is reported at each 30° and at the end.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// In contrast, Apple's HomeKit Accessory Simulator copies the target position to the current position after one
/// second.
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

    /// Places the device at its saved targets.
    ///
    /// A movement that was in progress is complete. An obstructed device stays where it was stopped.
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
        case .applySensorInput(let found):
            return applySensorInput(found, at: now)
        case .press, .plug, .unplug:
            return false
        }
        return true
    }

    /// Applies what a hand did: it moved the device or its slats, or put something in the way.
    ///
    /// The device stays where it was put, so that is its target, too. Position State starts or stops the movement, as a
    /// switch on the wall.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        switch found.type {
        case .obstructionDetected:
            guard let isFound = found.value.coercedBool else { return false }
            return handle(isFound ? .obstruct : .clearObstruction, at: now)
        case .positionState:
            switch found.value.coercedInteger {
            case 0, 1:
                let goal = found.value.coercedInteger == 1 ? 100 : 0
                let position = axes[Self.positionAxis].motion.value(at: now)
                guard !isObstructed, position != Double(goal) else { return false }
                values.set(.targetPosition, integer: goal)
                drive(Self.positionAxis, at: now)
            case 2: halt(Self.positionAxis, at: now)
            default: return false
            }
        default:
            guard let index = axes.firstIndex(where: { $0.current == found.type }),
                let place = found.value.finiteDouble
            else { return false }
            setResting(index, at: place)
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

    /// Returns how far the device is open as `position`, in percent, and the angles of the slats, if it has any.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        advanced(to: now).axes.filter { $0.target == .targetPosition || values.contains($0.current) }
            .map { DeviceReading($0.name, $0.motion.value(at: now), unit: $0.unit) }
    }

    /// Moves an axis from its current value to its target.
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

    /// Stops an axis at the nearest whole number, and makes that its target.
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

    /// The configuration of a door, a window or a covering.
    package struct Configuration: Sendable, Hashable {
        /// The duration of a full travel between 0 and 100 %, in either direction.
        ///
        /// 20 s by default; 0 or less makes every movement immediate.
        package var travel = Duration.seconds(20)
        /// The duration of a full tilt between −90° and 90°, in either direction.
        ///
        /// 3 s by default; 0 or less makes every tilt immediate.
        package var tiltTravel = Duration.seconds(3)
        /// The step of Current Position during a movement, in percent; 10 by default, at least 1.
        package var step: Double = 10
    }

    /// A quantity that is driven between two ends: the position or the tilt of slats.
    private struct Axis: Sendable {
        /// The name and the unit of its reading.
        let name: String
        let unit: String
        /// The characteristics of the target and the current value.
        let target: CharacteristicType
        let current: CharacteristicType
        /// The range between the ends.
        let range: ClosedRange<Double>
        /// The duration of a travel over the whole range.
        let travel: Duration
        /// The step of the current value during a movement.
        let step: Double
        var motion = SteppedMotion.resting(0)

        /// The current value.
        var reportedValue: Int { Int(clamped(motion.reportedValue)) }

        /// Returns the nearest whole number within the range; NaN becomes the one nearest to 0.
        func clamped(_ value: Double) -> Double {
            let value = value.isNaN ? 0 : value.rounded()
            return min(max(value, range.lowerBound), range.upperBound)
        }
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "position",
        "A door, a window or a window covering that moves to its target, with its slats.",
        services: [.windowCovering, .door, .window],
        defaults: Configuration(),
        parameters: [
            .duration("travel", \.travel, "The duration of a full travel between 0 and 100 %, in either direction."),
            .duration("tiltTravel", \.tiltTravel, "The duration of a tilt between -90° and 90°, in either direction."),
            .number("step", \.step, 1...100, "The step of Current Position during a movement, in percent."),
        ]
    ) { configuration, _ in PositionActuator(configuration) }
}
