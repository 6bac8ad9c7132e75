package import AccessoryModel
package import HAPCore

/// A battery that runs down over its life, and fills while it charges.
///
/// Charging State is what it is told by ``BehaviorCommand/applySensorInput(_:)``: 1, charging, lets the level rise to 100 %; 0 and 2
/// let it fall to 0 %. The level is told in steps of 1 %, and Status Low Battery follows it. A restart loses less than
/// one of these steps.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Battery: EventDrivenBehavior {
    package static let rules: WriteRules = [
        .batteryLevel: .readOnly, .chargingState: .readOnly, .statusLowBattery: .readOnly,
    ]
    package static let required: [CharacteristicType] = [.batteryLevel, .chargingState, .statusLowBattery]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var levelTravel = LinearTravel(from: 100, to: 100, at: .zero, lasting: .zero)
    private var charging = Charging.off
    private var reportedLevel = 100
    /// Up to when the course is in.
    private var lastUpdate = MonotonicInstant.zero

    /// Creates a full battery.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes over the kept level and whether it charges; whether the level is low follows from it.
    package mutating func restore(at now: MonotonicInstant) {
        charging = values.integer(.chargingState).flatMap(Charging.init) ?? .off
        startTravel(from: values.number(.batteryLevel) ?? 100, at: now)
    }

    package var nextEvent: MonotonicInstant? {
        guard reportedLevel != Int(levelTravel.destination) else { return nil }
        let next = Double(reportedLevel) + (levelTravel.destination > levelTravel.origin ? 0.5 : -0.5)
        // Rounding may leave it on its step at the very crossing: a millisecond on it is beyond.
        let soonest = lastUpdate.advanced(by: .milliseconds(1))
        let due = max(levelTravel.instant(ofReaching: next) ?? levelTravel.end, soonest)
        return due > lastUpdate ? due : nil
    }

    /// Takes one look at its course, however much of it has passed.
    package mutating func processEvents(through now: MonotonicInstant) {
        lastUpdate = max(lastUpdate, now)
        reportedLevel = Int(levelTravel.position(at: lastUpdate).rounded())
        updateValues()
    }

    /// Knows ``BehaviorCommand/applySensorInput(_:)`` of the level, of the charging state, and of whether the level is low: it then is
    /// what it must be for that.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        let level = levelTravel.position(at: max(now, lastUpdate))
        switch found.type {
        case .batteryLevel:
            guard let reported = found.value.finiteDouble else { return false }
            startTravel(from: reported, at: now)
        case .chargingState:
            guard let reported = found.value.integer.flatMap(Charging.init) else { return false }
            charging = reported
            startTravel(from: level, at: now)
        case .statusLowBattery:
            guard let isLow = found.value.coercedBool else { return false }
            startTravel(
                from: isLow ? min(level, configuration.lowThreshold) : max(level, configuration.lowThreshold + 1),
                at: now
            )
        default:
            return false
        }
        return true
    }

    /// Answers with the exact level as `chargeDuration`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("charge", levelTravel.position(at: now), unit: "%")]
    }

    private mutating func startTravel(from level: Double, at now: MonotonicInstant) {
        let isCharging = charging == .charging
        levelTravel = LinearTravel(
            from: level,
            to: isCharging ? 100 : 0,
            at: now,
            fullTravelTime: isCharging ? configuration.chargeDuration : configuration.dischargeDuration
        )
        lastUpdate = now
        processEvents(through: now)
    }

    package mutating func updateValues() {
        values.set(.batteryLevel, integer: reportedLevel)
        values.set(.chargingState, integer: charging.rawValue)
        values.set(.statusLowBattery, integer: Double(reportedLevel) <= configuration.lowThreshold ? 1 : 0)
    }

    /// How a battery is built.
    package struct Configuration: Sendable, Hashable {
        /// What it takes to run down from 100 % to nothing.
        ///
        /// 365 days by default; 0 or less empties it at once.
        package var dischargeDuration = Duration.seconds(365 * 86_400)
        /// What it takes to charge from nothing to 100 %.
        ///
        /// 2 h by default; 0 or less fills it at once.
        package var chargeDuration = Duration.seconds(7_200)
        /// The level in percent up to which it is low; 20 by default.
        package var lowThreshold: Double = 20
    }

    /// Charging State.
    enum Charging: Int, Sendable, Hashable {
        case off = 0
        case charging = 1
        case notChargeable = 2
    }

    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "battery",
        "A battery that runs down, and charges when it is told.",
        services: [.battery],
        requiredTypes: [.batteryLevel],
        defaults: Configuration(),
        parameters: [
            .duration(
                "life",
                \.dischargeDuration,
                within: .seconds(60) ... .seconds(3_650 * 86_400),
                "What it takes to run down from 100 % to nothing."
            ),
            .duration(
                "charge",
                \.chargeDuration,
                within: .seconds(60) ... .seconds(86_400),
                "What it takes to charge from nothing to 100 %."
            ),
            .number("low", \.lowThreshold, 0...100, "The level in percent up to which it is low."),
        ]
    ) { configuration, _ in Battery(configuration) }
}
