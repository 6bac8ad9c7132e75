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
package struct Fan: BlowerBehavior {
    package static let rules: WriteRules = [
        .active: .boolean, .on: .boolean, .rotationSpeed: .number, .targetFanState: .boolean,
        .currentFanState: .readOnly,
    ]
    /// Which characteristic starts it depends on the service's type.
    package static let required: [CharacteristicType] = []

    package static let switchDefaults = [BehaviorChange(.active, 0), BehaviorChange(.on, false)]
    package static let targetType = CharacteristicType.targetFanState
    package static let currentType = CharacteristicType.currentFanState

    package var values = ServiceValues()
    package var blower: Blower

    /// Creates a fan that stands still.
    init(_ configuration: BlowerConfiguration = BlowerConfiguration()) {
        blower = Blower(configuration)
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "fan",
        "A fan that takes a while to get up to speed.",
        services: [.fanv2, .fan],
        requiredTypes: [],
        defaults: BlowerConfiguration(),
        parameters: BlowerConfiguration.parameters
    ) { configuration, _ in Fan(configuration) }
}

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
package struct AirPurifier: BlowerBehavior {
    package static let rules: WriteRules = [
        .active: .boolean, .rotationSpeed: .number, .targetAirPurifierState: .boolean,
        .currentAirPurifierState: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.active, .targetAirPurifierState, .currentAirPurifierState]
    package static let switchDefaults = [BehaviorChange(.active, 0)]
    package static let targetType = CharacteristicType.targetAirPurifierState
    package static let currentType = CharacteristicType.currentAirPurifierState

    package var values = ServiceValues(Self.required)
    package var blower: Blower

    /// Creates an air purifier that stands still.
    init(_ configuration: BlowerConfiguration = BlowerConfiguration()) {
        blower = Blower(configuration)
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "airPurifier",
        "An air purifier that takes a while to get up to speed.",
        services: [.airPurifier],
        requiredTypes: [.active, .currentAirPurifierState, .targetAirPurifierState],
        defaults: BlowerConfiguration(),
        parameters: BlowerConfiguration.parameters
    ) { configuration, _ in AirPurifier(configuration) }
}

/// A device that turns a ``Blower`` as its characteristics want it, and tells what that does.
package protocol BlowerBehavior: EventDrivenBehavior {
    /// The characteristics that start and stop it, of which a service has one, each with what it is while nothing is known.
    static var switchDefaults: [BehaviorChange] { get }
    /// The characteristic that chooses between by hand and automatic.
    static var targetType: CharacteristicType { get }
    /// The characteristic that tells what the blower does.
    static var currentType: CharacteristicType { get }

    /// What turns.
    var blower: Blower { get set }
}

extension BlowerBehavior {
    package mutating func restore(at now: MonotonicInstant) {
        for off in Self.switchDefaults {
            values.setDefault(off.type, bool: off.value)
        }
        values.setDefault(Self.targetType, bool: 0)
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

    /// Answers with how fast the blades turn as `speed`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("speed", advanced(to: now).blower.speed(at: now), unit: "%")]
    }

    private var setpoint: Blower.Setpoint {
        Blower.Setpoint(
            isOn: Self.switchDefaults.lazy.compactMap { values.bool($0.type) }.first ?? false,
            isAutomatic: values.bool(Self.targetType) ?? false,
            speed: values.number(.rotationSpeed) ?? 100
        )
    }

    package mutating func updateValues() {
        values.set(Self.currentType, integer: blower.current)
    }
}

/// What turns in a fan or an air purifier.
///
/// It takes a while to get up to speed. In automatic it blows for a while and rests for a while, as long as it is on.
package struct Blower: Sendable {
    /// What a controller wants of it.
    struct Setpoint: Sendable, Hashable {
        var isOn = false
        var isAutomatic = false
        /// 0 to 100 %.
        var speed = 100.0
    }

    private let configuration: BlowerConfiguration
    private var setpoint = Setpoint()
    private var output = FadingLevel.steady(0)
    /// Whether it has been up to speed since it last stood still.
    private var isUpToSpeed = false
    /// In automatic, whether it blows, and until when it does or rests.
    private var phase: (isBlowing: Bool, end: MonotonicInstant)?

    init(_ configuration: BlowerConfiguration) {
        self.configuration = configuration
    }

    /// The value of the current state of a fan or an air purifier: 0 inactive, 1 idle, 2 blowing.
    ///
    /// While it gets up to speed it is idle; that it runs down is not told.
    var current: Int {
        setpoint.isOn ? (isUpToSpeed ? 2 : 1) : 0
    }

    /// When something happens.
    var nextEvent: MonotonicInstant? {
        MonotonicInstant.earliest(output.end, phase?.end)
    }

    /// How fast it turns, 0 to 100 %.
    func speed(at now: MonotonicInstant) -> Double {
        output.level(at: now)
    }

    /// Begins as it was left, without getting up to speed.
    mutating func begin(with request: Setpoint, at now: MonotonicInstant) {
        self = Blower(configuration)
        setSetpoint(request, at: now)
        output = .steady(targetSpeed)
        isUpToSpeed = targetSpeed > 0
    }

    /// Does what is wanted from now on.
    mutating func setSetpoint(_ request: Setpoint, at now: MonotonicInstant) {
        self.setpoint = request
        if !request.isOn || !request.isAutomatic {
            phase = nil
        } else if phase == nil {
            phase = (true, now.advanced(by: Self.phaseDuration(configuration.runDuration)))
        }
        drive(at: now)
    }

    /// Does what is due.
    mutating func handleEvent(at due: MonotonicInstant) {
        output.settle(at: due)
        if let phase, phase.end <= due {
            let length = phase.isBlowing ? configuration.restDuration : configuration.runDuration
            self.phase = (!phase.isBlowing, phase.end.advanced(by: Self.phaseDuration(length)))
        }
        drive(at: due)
    }

    /// Leaves a time out, in whole rounds of blowing and resting: it goes on where it would be by then.
    mutating func skip(_ duration: Duration) {
        let round = Self.phaseDuration(configuration.runDuration) + Self.phaseDuration(configuration.restDuration)
        let rounds = (duration / round).rounded(.down)
        guard rounds >= 1 else { return }
        phase = phase.map { ($0.isBlowing, $0.end.advanced(by: round * Int64(rounds))) }
    }

    private var targetSpeed: Double {
        setpoint.isOn && phase?.isBlowing != false ? LinearTravel.clampedPercent(setpoint.speed) : 0
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

/// How the blower of a fan or an air purifier is built.
package struct BlowerConfiguration: Sendable, Hashable {
    /// What the blades take from one speed to another; 3 s by default, 0 or less makes them jump.
    package var spinUp = Duration.seconds(3)
    /// How long it blows at a time in automatic; 10 min by default, at least 1 s.
    package var runDuration = Duration.seconds(600)
    /// How long it rests between in automatic; 20 min by default, at least 1 s.
    package var restDuration = Duration.seconds(1_200)

    /// What files may set.
    static let parameters: [ModelParameter<Self>] = [
        .duration("spinUp", \.spinUp, "What the blades take from one speed to another."),
        .duration(
            "run",
            \.runDuration,
            within: .seconds(1) ... .seconds(86_400),
            "How long it blows at a time in automatic."
        ),
        .duration(
            "rest",
            \.restDuration,
            within: .seconds(1) ... .seconds(86_400),
            "How long it rests between in automatic."
        ),
    ]
}
