package import AccessoryModel
package import HAPCore

/// A battery that runs down over its life, and fills while it charges.
///
/// Charging State is what it is told by ``BehaviorCommand/sense(_:)``: 1, charging, lets the level rise to 100 %; 0 and 2
/// let it fall to 0 %. The level is told in steps of 1 %, and Status Low Battery follows it. A restart loses less than
/// one of these steps.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct Battery: EventDriven {
    package static let rules: WriteRules = [
        .batteryLevel: .measured, .chargingState: .measured, .statusLowBattery: .measured,
    ]
    package static let required: [CharacteristicType] = [.batteryLevel, .chargingState, .statusLowBattery]

    package var values = ServiceValues(Self.required)
    private let configuration: Configuration
    private var course = LinearTravel(from: 100, to: 100, at: .zero, lasting: .zero)
    private var charging = Charging.off
    private var shown = 100
    /// Up to when the course is in.
    private var lastLook = MonotonicInstant.zero

    /// Creates a full battery.
    init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes over the kept level and whether it charges; whether the level is low follows from it.
    package mutating func restore(at now: MonotonicInstant) {
        charging = values.choice(.chargingState).flatMap(Charging.init) ?? .off
        begin(from: values.number(.batteryLevel) ?? 100, at: now)
    }

    package var nextEvent: MonotonicInstant? {
        guard shown != Int(course.destination) else { return nil }
        let next = Double(shown) + (course.destination > course.origin ? 0.5 : -0.5)
        // Rounding may leave it on its step at the very crossing: a millisecond on it is beyond.
        let soonest = lastLook.advanced(by: .milliseconds(1))
        let due = max(course.instant(ofReaching: next) ?? course.end, soonest)
        return due > lastLook ? due : nil
    }

    /// Takes one look at its course, however much of it has passed.
    package mutating func settle(through now: MonotonicInstant) {
        lastLook = max(lastLook, now)
        shown = Int(course.position(at: lastLook).rounded())
        tell()
    }

    /// Knows ``BehaviorCommand/sense(_:)`` of the level, of the charging state, and of whether the level is low: it then is
    /// what it must be for that.
    package mutating func sense(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        let level = course.position(at: max(now, lastLook))
        switch found.type {
        case .batteryLevel:
            guard let told = found.value.finiteDouble else { return false }
            begin(from: told, at: now)
        case .chargingState:
            guard let told = found.value.integer.flatMap(Charging.init) else { return false }
            charging = told
            begin(from: level, at: now)
        case .statusLowBattery:
            guard let isLow = found.value.isSwitchedOn else { return false }
            begin(from: isLow ? min(level, configuration.low) : max(level, configuration.low + 1), at: now)
        default:
            return false
        }
        return true
    }

    /// Answers with the exact level as `charge`, in percent.
    package func readings(at now: MonotonicInstant) -> [BehaviorReading] {
        [BehaviorReading("charge", course.position(at: now), unit: "%")]
    }

    private mutating func begin(from level: Double, at now: MonotonicInstant) {
        let isCharging = charging == .charging
        course = LinearTravel(
            from: level,
            to: isCharging ? 100 : 0,
            at: now,
            wholeWay: isCharging ? configuration.charge : configuration.life
        )
        lastLook = now
        settle(through: now)
    }

    package mutating func tell() {
        values.set(.batteryLevel, choice: shown)
        values.set(.chargingState, choice: charging.rawValue)
        values.set(.statusLowBattery, choice: Double(shown) <= configuration.low ? 1 : 0)
    }

    /// How a battery is built.
    package struct Configuration: Sendable, Hashable {
        /// What it takes to run down from 100 % to nothing.
        ///
        /// 365 days by default; 0 or less empties it at once.
        package var life = Duration.seconds(365 * 86_400)
        /// What it takes to charge from nothing to 100 %.
        ///
        /// 2 h by default; 0 or less fills it at once.
        package var charge = Duration.seconds(7_200)
        /// The level in percent up to which it is low; 20 by default.
        package var low: Double = 20
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
        needs: [.batteryLevel],
        standard: Configuration(),
        parameters: [
            .duration(
                "life",
                \.life,
                within: .seconds(60) ... .seconds(3_650 * 86_400),
                "What it takes to run down from 100 % to nothing."
            ),
            .duration(
                "charge",
                \.charge,
                within: .seconds(60) ... .seconds(86_400),
                "What it takes to charge from nothing to 100 %."
            ),
            .number("low", \.low, 0...100, "The level in percent up to which it is low."),
        ]
    ) { configuration, _ in Battery(configuration) }
}
