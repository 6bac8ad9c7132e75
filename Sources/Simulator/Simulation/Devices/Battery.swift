package import AccessoryModel
package import HAPCore

/// A battery that discharges over its life, and charges while it is on a charger.
///
/// ``BehaviorCommand/applySensorInput(_:)`` sets Charging State. With 1, charging, the level rises to 100 %. With 0,
/// not charging, and 2, not chargeable, it falls to 0 %. The level is reported in steps of 1 %, and Status Low Battery
/// follows it. A restart loses less than one step.
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
    /// The time up to which the reported level is computed.
    private var lastUpdate = MonotonicInstant.zero

    /// Creates a full battery.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Adopts the saved level and charging state; Status Low Battery follows from the level.
    package mutating func restore(at now: MonotonicInstant) {
        charging = values.integer(.chargingState).flatMap(Charging.init) ?? .off
        startTravel(from: values.number(.batteryLevel) ?? 100, at: now)
    }

    package var nextEvent: MonotonicInstant? {
        guard reportedLevel != Int(levelTravel.destination) else { return nil }
        let next = Double(reportedLevel) + (levelTravel.destination > levelTravel.origin ? 0.5 : -0.5)
        // Because of rounding, the level may still be on its step at the computed time. A millisecond later it has
        // passed the step.
        let soonest = lastUpdate.advanced(by: .milliseconds(1))
        let due = max(levelTravel.instant(ofReaching: next) ?? levelTravel.end, soonest)
        return due > lastUpdate ? due : nil
    }

    /// Computes the level directly, however much time has passed.
    package mutating func processEvents(through now: MonotonicInstant) {
        lastUpdate = max(lastUpdate, now)
        reportedLevel = Int(levelTravel.position(at: lastUpdate).rounded())
        updateValues()
    }

    /// ``BehaviorCommand/plug`` puts a battery on its charger, and ``BehaviorCommand/unplug`` takes it off.
    ///
    /// A battery that is not chargeable refuses both.
    package mutating func handle(_ command: BehaviorCommand, at now: MonotonicInstant) -> Bool {
        switch command {
        case .plug, .unplug:
            guard charging != .notChargeable else { return false }
            let state = command == .plug ? Charging.charging : .off
            return applySensorInput(BehaviorChange(.chargingState, .integer(state.rawValue)), at: now)
        case .applySensorInput(let found): return applySensorInput(found, at: now)
        case .stop, .obstruct, .clearObstruction, .press: return false
        }
    }

    /// Applies ``BehaviorCommand/applySensorInput(_:)`` for Battery Level, Charging State and Status Low Battery.
    ///
    /// Input for Status Low Battery changes the level so that it matches.
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

    /// Returns the exact level as `charge`, in percent.
    package func readings(at now: MonotonicInstant) -> [DeviceReading] {
        [DeviceReading("charge", levelTravel.position(at: now), unit: "%")]
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

    /// The configuration of a battery.
    package struct Configuration: Sendable, Hashable {
        /// The time of a discharge from 100 % to 0 %.
        ///
        /// 365 days by default; 0 or less empties it at once.
        package var dischargeDuration = Duration.seconds(365 * 86_400)
        /// The time of a charge from 0 % to 100 %.
        ///
        /// 2 h by default; 0 or less fills it at once.
        package var chargeDuration = Duration.seconds(7_200)
        /// The highest level that counts as low, in percent; 20 by default.
        package var lowThreshold: Double = 20
    }

    /// The values of Charging State.
    enum Charging: Int, Sendable, Hashable {
        case off = 0
        case charging = 1
        case notChargeable = 2
    }

    /// The catalog entry of the model.
    static let definition = SimulationModelDefinition(
        "battery",
        "A battery that runs down, and charges on command.",
        services: [.battery],
        requiredTypes: [.batteryLevel],
        defaults: Configuration(),
        parameters: [
            .duration(
                "life",
                \.dischargeDuration,
                within: .seconds(60) ... .seconds(3_650 * 86_400),
                "The time of a discharge from 100 % to 0 %."
            ),
            .duration(
                "charge",
                \.chargeDuration,
                within: .seconds(60) ... .seconds(86_400),
                "The time of a charge from 0 % to 100 %."
            ),
            .number("low", \.lowThreshold, 0...100, "The highest level that counts as low, in percent."),
        ]
    ) { configuration, _ in Battery(configuration) }
}
