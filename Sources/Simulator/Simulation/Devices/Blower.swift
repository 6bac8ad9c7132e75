package import AccessoryModel
package import HAPCore

/// A fan, for either of the two service types, or an air purifier, with a spin-up time.
///
/// * Active, or On of the older type of fan, starts and stops it. Rotation Speed, if the service has it, sets its
///   speed.
/// * Current Fan State or Current Air Purifier State is 0 inactive; 1 idle, while the device spins up, is at speed 0 or
///   rests; and 2 blowing or purifying.
/// * While Target Fan State or Target Air Purifier State is 1, automatic, it alternates between blowing and resting.
///
/// The ``FilterLife`` of the accessory's Filter Maintenance service simulates the life of an air purifier's filter.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct BlowerDevice: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .active: .boolean, .on: .boolean, .rotationSpeed: .number,
        .targetFanState: .boolean, .currentFanState: .readOnly,
        .targetAirPurifierState: .boolean, .currentAirPurifierState: .readOnly,
    ]
    /// The characteristics depend on the kind; see ``requiredTypes``.
    package static let required: [CharacteristicType] = []

    package static let controls: [CharacteristicType: [CharacteristicType]] = [
        .currentFanState: [.active, .on, .rotationSpeed], .currentAirPurifierState: [.active, .rotationSpeed],
    ]
    /// The characteristics that can start and stop the device, with their default values; a service has one of them.
    private static let switchDefaults = [BehaviorChange(.active, 0), BehaviorChange(.on, false)]

    package var values: ServiceValues
    private let kind: Kind
    private var blower: Blower

    /// Creates a device at rest.
    init(_ kind: Kind, _ configuration: BlowerConfiguration = BlowerConfiguration()) {
        self.kind = kind
        blower = Blower(configuration)
        values = ServiceValues(kind.requiredTypes)
    }

    package var requiredTypes: [CharacteristicType] { kind.requiredTypes }

    package mutating func restore(at now: MonotonicInstant) {
        for off in Self.switchDefaults {
            values.setDefault(off.type, bool: off.value)
        }
        values.setDefault(kind.targetType, bool: 0)
        values.setDefault(.rotationSpeed, 100)
        blower.begin(with: setpoint, at: now)
    }

    package var nextEvent: MonotonicInstant? { blower.nextEvent }

    package mutating func handleEvent(at due: MonotonicInstant) {
        blower.handleEvent(at: due)
    }

    package mutating func didApply(_ writes: [BehaviorChange], at now: MonotonicInstant) {
        blower.setSetpoint(setpoint, at: now)
    }

    package mutating func skip(_ duration: Duration) {
        blower.skip(duration)
    }

    /// Returns the speed of the blades as `speed`, in percent.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        [DeviceReading("speed", advanced(to: now).blower.speed(at: now), unit: "%")]
    }

    private var setpoint: Blower.Setpoint {
        Blower.Setpoint(
            isOn: Self.switchDefaults.lazy.compactMap { values.bool($0.type) }.first ?? false,
            isAutomatic: values.bool(kind.targetType) ?? false,
            speed: values.number(.rotationSpeed) ?? 100
        )
    }

    package mutating func updateValues() {
        values.set(kind.currentType, integer: blower.current)
    }

    /// The kinds of devices.
    enum Kind: Sendable {
        case fan
        case airPurifier

        /// The characteristic that selects manual or automatic operation.
        var targetType: CharacteristicType { self == .fan ? .targetFanState : .targetAirPurifierState }

        /// The characteristic that holds the state of the blower.
        var currentType: CharacteristicType { self == .fan ? .currentFanState : .currentAirPurifierState }

        /// The characteristics that a service always has; what starts a fan depends on the service's type.
        var requiredTypes: [CharacteristicType] { self == .fan ? [] : [.active, currentType, targetType] }
    }

    /// The catalog entry of the fan.
    static let fan = SimulationModelDefinition(
        "fan",
        "A fan that takes a while to get up to speed.",
        services: [.fanv2, .fan],
        defaults: BlowerConfiguration(),
        parameters: BlowerConfiguration.parameters
    ) { configuration, _ in BlowerDevice(.fan, configuration) }
    /// The catalog entry of the air purifier.
    static let airPurifier = SimulationModelDefinition(
        "airPurifier",
        "An air purifier that takes a while to get up to speed.",
        services: [.airPurifier],
        defaults: BlowerConfiguration(),
        parameters: BlowerConfiguration.parameters
    ) { configuration, _ in BlowerDevice(.airPurifier, configuration) }
}

/// The blower of a fan or an air purifier.
///
/// It has a spin-up time. In automatic operation it alternates between blowing and resting while it is on.
package struct Blower: Sendable {
    /// The settings that a controller requested.
    struct Setpoint: Sendable, Hashable {
        var isOn = false
        var isAutomatic = false
        /// The speed, 0 to 100 %.
        var speed = 100.0
    }

    private let configuration: BlowerConfiguration
    private var setpoint = Setpoint()
    private var output = FadingLevel.steady(0)
    /// Whether the blower has reached its speed since it last stopped.
    private var isUpToSpeed = false
    /// In automatic operation, whether the blower blows or rests, and the end of this phase.
    private var phase: (isBlowing: Bool, end: MonotonicInstant)?

    init(_ configuration: BlowerConfiguration) {
        self.configuration = configuration
    }

    /// The value of the current state of a fan or an air purifier: 0 inactive, 1 idle, 2 blowing.
    ///
    /// It is idle while the blower spins up; spinning down is not reported.
    var current: Int {
        setpoint.isOn ? (isUpToSpeed ? 2 : 1) : 0
    }

    /// The time of the next event.
    var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(output.end, phase?.end)
    }

    /// Returns the speed, 0 to 100 %.
    func speed(at now: MonotonicInstant) -> Double {
        output.level(at: now)
    }

    /// Restores the settings without a spin-up.
    mutating func begin(with request: Setpoint, at now: MonotonicInstant) {
        self = Blower(configuration)
        setSetpoint(request, at: now)
        output = .steady(targetSpeed)
        isUpToSpeed = targetSpeed > 0
    }

    /// Applies new settings.
    mutating func setSetpoint(_ request: Setpoint, at now: MonotonicInstant) {
        self.setpoint = request
        if !request.isOn || !request.isAutomatic {
            phase = nil
        } else if phase == nil {
            phase = (true, now.advanced(by: Self.phaseDuration(configuration.runDuration)))
        }
        drive(at: now)
    }

    /// Handles the event that is due.
    mutating func handleEvent(at due: MonotonicInstant) {
        output.settle(at: due)
        if let phase, phase.end <= due {
            let length = phase.isBlowing ? configuration.restDuration : configuration.runDuration
            self.phase = (!phase.isBlowing, phase.end.advanced(by: Self.phaseDuration(length)))
        }
        drive(at: due)
    }

    /// Skips the whole cycles of blowing and resting that fit into a duration, so that the phase stays correct.
    mutating func skip(_ duration: Duration) {
        let round = Self.phaseDuration(configuration.runDuration) + Self.phaseDuration(configuration.restDuration)
        let rounds = (duration / round).rounded(.down)
        guard rounds >= 1 else { return }
        phase = phase.map { ($0.isBlowing, $0.end.advanced(by: round * Int64(rounds))) }
    }

    private var targetSpeed: Double {
        setpoint.isOn && phase?.isBlowing != false ? setpoint.speed.clamped(to: 0...100) : 0
    }

    private mutating func drive(at now: MonotonicInstant) {
        output.fade(to: targetSpeed, at: now, lasting: configuration.spinUp)
        if targetSpeed == 0 {
            isUpToSpeed = false
        } else if output.end == nil {
            isUpToSpeed = true
        }
    }

    private static func phaseDuration(_ duration: Duration) -> Duration {
        max(duration, .seconds(1))
    }
}

/// The configuration of the blower of a fan or an air purifier.
package struct BlowerConfiguration: Sendable, Hashable {
    /// The time that a change of speed takes; 3 s by default, 0 or less makes it immediate.
    package var spinUp = Duration.seconds(3)
    /// The time that the blower blows per cycle in automatic operation; 10 min by default, at least 1 s.
    package var runDuration = Duration.seconds(600)
    /// The time that the blower rests per cycle in automatic operation; 20 min by default, at least 1 s.
    package var restDuration = Duration.seconds(1_200)

    /// The parameters that files may set.
    static let parameters: [ModelParameter<Self>] = [
        .duration("spinUp", \.spinUp, "The time that a change of speed takes."),
        .duration(
            "run",
            \.runDuration,
            within: .seconds(1) ... .seconds(86_400),
            "The time that it blows per cycle in automatic operation."
        ),
        .duration(
            "rest",
            \.restDuration,
            within: .seconds(1) ... .seconds(86_400),
            "The time that it rests per cycle in automatic operation."
        ),
    ]
}
