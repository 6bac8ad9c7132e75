package import AccessoryModel
package import HAPCore

/// A sensor that measures a level: light, temperature, humidity, air quality, carbon monoxide or carbon dioxide.
///
/// By default the level does not change by itself, so that it does not disturb tests:
/// ``BehaviorCommand/applySensorInput(_:)`` sets it. With a pattern the level drifts from its current value,
/// alternately to the highest and the lowest level (``SensorPattern/regular``) or to random levels between them
/// (``SensorPattern/random``). The level is reported in steps of 0.1 °C, 10 lux, 10 ppm of carbon dioxide, or 1 for the
/// other kinds. After sensor input the drift continues from the new level.
///
/// A gas is detected when the level reaches the threshold. The peak level is the highest so far. A gas sensor without a
/// characteristic for the level simulates the level internally. The densities of an air quality sensor, Status Active,
/// Status Fault, Status Tampered and Status Low Battery do not change.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct LevelSensor: EventDrivenBehavior {
    /// The measured characteristics depend on the kind; see ``refusal(of:)``.
    package static let rules: WriteRules = [:]
    /// The reported characteristics depend on the kind; see ``requiredTypes``.
    package static let required: [CharacteristicType] = []

    package var values: ServiceValues
    private let kind: Kind
    private let configuration: Configuration
    private let seed: UInt64
    private var drift: Drift?
    private var level: Double
    private var peak: Double
    /// The time up to which the drift is computed.
    private var lastUpdate = MonotonicInstant.zero

    /// Creates a sensor at the lowest level of its pattern.
    ///
    /// - Parameter seed: The seed of the turning points of ``SensorPattern/random``.
    init(_ kind: Kind, _ configuration: Configuration? = nil, seed: UInt64 = 0) {
        let configuration = configuration ?? Configuration(kind)
        self.kind = kind
        self.configuration = configuration
        self.seed = seed
        level = configuration.minimum
        peak = configuration.minimum
        values = ServiceValues([kind.required])
    }

    package var requiredTypes: [CharacteristicType] { [kind.required] }

    /// Adopts the saved values; whether a gas is detected follows from its level.
    package mutating func restore(at now: MonotonicInstant) {
        if let stored = values.number(kind.level) {
            level = stored
        } else if kind.alarm.flatMap({ values.bool($0) }) == true {
            level = max(configuration.threshold, configuration.minimum)
        } else {
            level = configuration.minimum
        }
        peak = max(level, kind.peak.flatMap { values.number($0) } ?? level)
        startDrift(at: now)
    }

    package func refusal(of write: BehaviorChange) -> HAPStatus? {
        [kind.level, kind.peak, kind.alarm].contains(write.type) ? .readOnly : nil
    }

    package var nextEvent: MonotonicInstant? {
        drift?.nextChange(after: lastUpdate, step: kind.step)
    }

    /// Computes the drift directly, however much time has passed.
    package mutating func processEvents(through now: MonotonicInstant) {
        if let drift {
            let end = max(lastUpdate, now)
            level = roundedToStep(drift.level(at: end))
            peak = max(peak, roundedToStep(drift.maximum(from: lastUpdate, through: end)))
            lastUpdate = end
        }
        updateValues()
    }

    /// Applies ``BehaviorCommand/applySensorInput(_:)`` for the level, the peak level and the detection of a gas.
    ///
    /// Input for the detection changes the level so that it matches.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard storeSensorInput(found) else { return false }
        peak = max(peak, level)
        startDrift(at: now)
        return true
    }

    /// Stores a sensor input; returns `false` for an unsupported one.
    private mutating func storeSensorInput(_ found: BehaviorChange) -> Bool {
        switch found.type {
        case kind.level:
            guard let reported = found.value.finiteDouble else { return false }
            level = reported
        case kind.peak:
            guard let reported = found.value.finiteDouble else { return false }
            peak = reported
        case kind.alarm:
            guard let isDetected = found.value.coercedBool else { return false }
            if isDetected != (level >= configuration.threshold) {
                level = isDetected ? configuration.threshold : configuration.minimum
            }
        default:
            return false
        }
        return true
    }

    /// Starts the drift at the current level.
    private mutating func startDrift(at now: MonotonicInstant) {
        drift = Drift(configuration, seed: seed, from: level, at: now)
        lastUpdate = now
        processEvents(through: now)
    }

    /// Returns the nearest step, rounded to a millionth so that 0.1 °C is reported exactly.
    private func roundedToStep(_ level: Double) -> Double {
        let stepped = ((level / kind.step).rounded() * kind.step * 1e6).rounded() / 1e6
        return min(max(stepped, kind.range.lowerBound), kind.range.upperBound)
    }

    package mutating func updateValues() {
        values.set(kind.level, number(level))
        if let type = kind.peak {
            values.set(type, number(peak))
        }
        if let type = kind.alarm {
            values.set(type, integer: level >= configuration.threshold ? 1 : 0)
        }
    }

    private func number(_ level: Double) -> CharacteristicValue {
        .number(JSONNumber(level) ?? 0)
    }

    /// A level that drifts linearly between turning points, with one turning point per period.
    ///
    /// It depends only on the time, so the number of queries does not affect it.
    struct Drift: Sendable, Hashable {
        /// The largest number of turning points that ``maximum(from:through:)`` computes.
        private static let maximumTurningPoints: UInt64 = 10_000

        private let origin: MonotonicInstant
        private let originLevel: Double
        private let levels: ClosedRange<Double>
        private let isRandom: Bool
        private let seed: UInt64
        private let period: UInt64

        /// Creates a drift that starts at any level; `nil` without a pattern.
        init?(_ configuration: Configuration, seed: UInt64, from level: Double, at origin: MonotonicInstant) {
            guard configuration.pattern != .still else { return nil }
            self.origin = origin
            originLevel = level
            let (least, greatest) = (configuration.minimum, configuration.maximum)
            levels = min(least, greatest)...max(least, greatest)
            isRandom = configuration.pattern == .random
            self.seed = seed
            let every = UInt64(max(configuration.interval, .seconds(60)).clampedNanoseconds)
            period = isRandom ? every : every / 2
        }

        /// Returns the level at `now`.
        func level(at now: MonotonicInstant) -> Double {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / period
            let (begin, end) = (turningPoint(number), turningPoint(number &+ 1))
            return begin + (end - begin) * (Double(elapsed % period) / Double(period))
        }

        /// Returns the next time after `now` at which the step or the direction changes; `nil` beyond the clock's
        /// range.
        func nextChange(after now: MonotonicInstant, step: Double) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let (number, passed) = elapsed.quotientAndRemainder(dividingBy: period)
            let (begin, end) = (turningPoint(number), turningPoint(number &+ 1))
            let present = (level(at: now) / step).rounded()
            let next = (present + (end > begin ? 0.5 : -0.5)) * step
            let share = (next - begin) / (end - begin)
            var ahead = period - passed
            if share >= 0, share < 1 {
                // Because of rounding, the level may still be on its step at the computed time. A millisecond later it
                // has passed the step.
                let crossing = UInt64((share * Double(period)).rounded(.up))
                let least = passed + 1_000_000
                ahead = min(ahead, max(crossing, least) - passed)
            }
            return now.advanced(byNanoseconds: ahead)
        }

        /// Returns the highest level between two instants.
        ///
        /// If there are too many turning points between them, it is the highest level of the pattern.
        func maximum(from start: MonotonicInstant, through end: MonotonicInstant) -> Double {
            let first = origin.nanoseconds(to: start) / period
            let last = origin.nanoseconds(to: end) / period
            let ends = max(level(at: start), level(at: end))
            guard first < last else { return ends }
            guard last - first <= Self.maximumTurningPoints else { return max(ends, levels.upperBound) }
            return (first + 1...last).reduce(ends) { max($0, turningPoint($1)) }
        }

        private func turningPoint(_ number: UInt64) -> Double {
            guard number > 0 else { return originLevel }
            let share = isRandom ? SeededRandom.unit(at: number, seed: seed) : number % 2 == 1 ? 1 : 0
            return levels.lowerBound + (levels.upperBound - levels.lowerBound) * share
        }
    }
}
