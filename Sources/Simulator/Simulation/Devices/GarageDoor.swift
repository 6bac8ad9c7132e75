package import AccessoryModel
package import HAPCore

/// A garage door with a realistic travel time, an obstruction sensor and a lock.
///
/// It drives a Garage Door Opener service. The two lock characteristics are optional: the bolt moves only if one of
/// them is written or has a saved value.
///
/// * A new target written during travel reverses the door from its current position; the time is proportional to the
///   distance. Writing a target that the door has reached, or already travels to, changes nothing. After
///   ``BehaviorCommand/stop``, every write moves the door, even a write of the same target.
/// * An obstruction makes a closing door open again, and changes the target to Open. While the obstruction lasts, a
///   write of Closed is accepted but reversed at once: an open door stays open, an opening door continues, and a
///   stopped door opens.
/// * ``BehaviorCommand/applySensorInput(_:)`` for a current state moves the door or the bolt by hand, and the target
///   follows.
/// * Lock Target 1 extends the bolt once the door is closed. Target Open is refused with −70412 while Lock Current
///   State is 1, which includes the time in which the bolt retracts. While the bolt still extends, Lock Current State
///   is 0 and Target Open is accepted: the bolt retracts, and extends again once the door is closed again.
///
/// No call traps, whatever the values, the durations and the order of the instants.
///
/// HAP: §20.1, §20.2
package struct GarageDoor: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .targetDoorState: .boolean, .currentDoorState: .readOnly, .obstructionDetected: .readOnly,
        .lockTargetState: .boolean, .lockCurrentState: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.currentDoorState, .targetDoorState, .obstructionDetected]

    package var values = ServiceValues(
        stored: [.currentDoorState: 1, .targetDoorState: 1, .obstructionDetected: false],
        of: Self.required
    )
    private let configuration: Configuration
    private var state = State(restingAt: .closed)
    private var isObstructed = false
    /// The time at which the obstruction ends by itself; `nil` if there is none, or it stays.
    private var obstructionEnd: MonotonicInstant?
    private var isTargetSecured = false
    private var bolt = Bolt.resting(isSecured: false)

    /// Creates a door that is closed, unsecured and not obstructed.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Adopts the saved values and completes what was in progress.
    ///
    /// A door that was moving has arrived at its target, as a real one would have. The target also determines the
    /// position if the saved values contradict each other, or only the target was declared. A stopped door stays
    /// stopped and keeps its target; its position was not saved, so it is half open. The bolt follows its target if the
    /// door permits: if the door is not closed, the bolt is retracted and waits. An obstruction is still present; its
    /// duration starts again.
    ///
    /// HAP: §20.1
    package mutating func restore(at now: MonotonicInstant) {
        state = Self.state(
            storedCurrent: values.integer(.currentDoorState),
            storedTarget: Target(values[.targetDoorState])
        )
        isObstructed = false
        obstructionEnd = nil
        if values.bool(.obstructionDetected) == true { beginObstruction(at: now) }
        isTargetSecured = (values[.lockTargetState] ?? values[.lockCurrentState])?.coercedBool ?? false
        bolt = .resting(isSecured: isTargetSecured && state.isClosed)
    }

    package var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(state.arrival, bolt.nextEvent, obstructionEnd)
    }

    package mutating func handleEvent(at due: MonotonicInstant) {
        state.settle(at: due)
        bolt.settle(at: due)
        if let end = obstructionEnd, end <= due { endObstruction() }
        driveBolt(at: due)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        let isBarred = write.type == .targetDoorState && Target(write.value) == .open && bolt.current == 1
        return isBarred ? .notAllowedInCurrentState : Self.rules[write.type]?.refusal(of: write.value)
    }

    /// Applies each write immediately, so that one request can retract the bolt and open the door if the bolt needs no
    /// time.
    package mutating func apply(_ write: BehaviorChange, at now: MonotonicInstant) {
        values.store(write)
        switch write.type {
        case .targetDoorState:
            if let target = Target(write.value) { drive(to: target, at: now) }
        case .lockTargetState:
            isTargetSecured = write.value.coercedBool ?? isTargetSecured
            driveBolt(at: now)
        default:
            break
        }
        updateValues()
        processEvents(through: now)
    }

    package mutating func handle(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        switch command {
        case .stop: state.stop(at: now)
        case .obstruct: obstruct(at: now)
        case .clearObstruction: endObstruction()
        case .applySensorInput(let found): return applySensorInput(found, at: now)
        case .press, .plug, .unplug: return false
        }
        return true
    }

    /// Applies what a hand did: it moved the door or the bolt, or put something in the way.
    ///
    /// The door stays where it was put, so that is its target, too. A hand that opens a secured door unlocks it first; it
    /// cannot extend the bolt of an open door.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        switch (found.type, found.value.coercedInteger) {
        case (.currentDoorState, 0): state = State(restingAt: .open)
        case (.currentDoorState, 1) where !isObstructed || state.isClosed: state = State(restingAt: .closed)
        case (.currentDoorState, 2) where state.current != 0: drive(to: .open, at: now)
        case (.currentDoorState, 3) where !isObstructed && !state.isClosed: drive(to: .closed, at: now)
        case (.currentDoorState, 4):
            state.stop(at: now)
            if state.current != 4 { state = State(halfwayTo: state.target) }
        case (.obstructionDetected, 1): obstruct(at: now)
        case (.obstructionDetected, 0): endObstruction()
        case (.lockCurrentState, let secured?) where secured == 0 || secured == 1 && state.isClosed:
            isTargetSecured = secured == 1
            bolt = .resting(isSecured: isTargetSecured)
        default: return false
        }
        if found.type == .currentDoorState, !state.isClosed, bolt.current == 1 {
            isTargetSecured = false
            bolt = .resting(isSecured: false)
        }
        driveBolt(at: now)
        return true
    }

    /// Returns how far the door is open as `position`, and how far the bolt is extended as `bolt`, in percent.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        let door = advanced(to: now)
        return [
            DeviceReading("position", door.state.position(at: now), unit: "%"),
            DeviceReading("bolt", door.bolt.position(at: now), unit: "%"),
        ]
    }

    private mutating func drive(to target: Target, at now: MonotonicInstant) {
        // A closed door is already at the written target, so there is nothing to reverse.
        let isReversed = target == .closed && isObstructed && !state.isClosed
        state.drive(to: isReversed ? .open : target, at: now, fullTravelTime: configuration.travel)
        driveBolt(at: now)
    }

    private mutating func obstruct(at now: MonotonicInstant) {
        beginObstruction(at: now)
        if state.arrival != nil, state.target == .closed {
            drive(to: .open, at: now)
        }
    }

    private mutating func beginObstruction(at now: MonotonicInstant) {
        isObstructed = true
        obstructionEnd = configuration.obstructionDuration.map { now.advanced(by: max($0, .zero)) }
    }

    private mutating func endObstruction() {
        isObstructed = false
        obstructionEnd = nil
    }

    /// Moves the bolt to its target, if the door permits.
    private mutating func driveBolt(at now: MonotonicInstant) {
        let isSecured = isTargetSecured && state.isClosed
        guard bolt.isSecuredOrSecuring != isSecured else { return }
        let travel = bolt.travel(toSecured: isSecured, at: now, fullTravelTime: configuration.lockTravel)
        bolt = .moving(travel, wasSecured: bolt.current == 1)
    }

    private static func state(storedCurrent: Int?, storedTarget: Target?) -> State {
        switch (storedCurrent, storedTarget) {
        case (4, let target): State(halfwayTo: target ?? .closed)
        case (_, let target?): State(restingAt: target)
        case (0, nil), (2, nil): State(restingAt: .open)
        case (_, nil): State(restingAt: .closed)
        }
    }

    package mutating func updateValues() {
        values.set(.obstructionDetected, .bool(isObstructed))
        values.set(.targetDoorState, integer: state.target.rawValue)
        values.set(.currentDoorState, integer: state.current)
        values.set(.lockTargetState, integer: isTargetSecured ? 1 : 0)
        values.set(.lockCurrentState, integer: bolt.current)
    }

    /// The configuration of a garage door.
    package struct Configuration: Sendable, Hashable {
        /// The duration of a full travel, in either direction.
        ///
        /// 12 s by default; 0 or less makes every movement of the door immediate.
        package var travel = Duration.seconds(12)
        /// The duration of the bolt's full travel.
        ///
        /// 1 s by default; 0 or less makes every movement of the bolt immediate.
        package var lockTravel = Duration.seconds(1)
        /// The duration of an obstruction that is not cleared.
        ///
        /// `nil`, the default, means until it is cleared; 0 or less ends it immediately, after it has reversed the
        /// door.
        package var obstructionDuration: Duration?
    }

    /// The state of a door: Target Door State and the progress toward it.
    ///
    /// HAP: §20.1
    struct State: Sendable, Hashable {
        private enum Motion: Sendable, Hashable {
            case resting
            case moving(LinearTravel)
            /// Stopped on the way to the target.
            case stopped(position: Double)
        }

        /// The target of the door, which it moves to unless it was stopped.
        private(set) var target: Target
        private var motion = Motion.resting

        /// Creates a door at rest at its target.
        init(restingAt target: Target) {
            self.target = target
        }

        /// Creates a door that is stopped halfway to its target.
        init(halfwayTo target: Target) {
            self.target = target
            motion = .stopped(position: 50)
        }

        var isClosed: Bool { current == 1 }

        /// The value of Current Door State.
        var current: Int {
            switch motion {
            case .resting: target.rawValue
            case .moving: 2 + target.rawValue
            case .stopped: 4
            }
        }

        /// The time of arrival; `nil` at rest.
        var arrival: MonotonicInstant? {
            if case .moving(let travel) = motion { travel.end } else { nil }
        }

        /// Returns how far the door is open, 0 to 100.
        func position(at now: MonotonicInstant) -> Double {
            switch motion {
            case .resting: target.position
            case .moving(let travel): travel.position(at: now)
            case .stopped(let position): position
            }
        }

        /// Moves the door to `target` from its position; does nothing if it is there or moves there already.
        mutating func drive(to target: Target, at now: MonotonicInstant, fullTravelTime: Duration) {
            guard self.target != target || current == 4 else { return }
            motion = .moving(
                LinearTravel(from: position(at: now), to: target.position, at: now, fullTravelTime: fullTravelTime)
            )
            self.target = target
        }

        /// Stops the door where it is; does nothing at rest.
        mutating func stop(at now: MonotonicInstant) {
            if case .moving(let travel) = motion {
                motion = .stopped(position: travel.position(at: now))
            }
        }

        /// Ends a travel that is over by `now`.
        mutating func settle(at now: MonotonicInstant) {
            if let arrival, arrival <= now {
                motion = .resting
            }
        }
    }

    /// The values of Target Door State.
    ///
    /// HAP: §20.1
    enum Target: Int, IntegerState {
        case open = 0
        case closed = 1

        /// The position at the target, in percent open.
        var position: Double { self == .open ? 100 : 0 }
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "garageDoor",
        "A garage door, with its lock if it has one.",
        services: [.garageDoorOpener],
        requiredTypes: [.targetDoorState, .currentDoorState],
        defaults: Configuration(),
        parameters: [
            .duration("travel", \.travel, "The duration of a full travel, in either direction."),
            .duration("lockTravel", \.lockTravel, "The duration of the bolt's full travel."),
            .duration(
                "obstructionDuration",
                \.obstructionDuration,
                "The duration of an obstruction. Default: until it is cleared."
            ),
        ]
    ) { configuration, _ in GarageDoor(configuration) }
}
