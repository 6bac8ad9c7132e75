package import AccessoryModel
package import HAPCore

/// A sensor that measures a level: light, temperature, humidity, the air's quality, carbon monoxide and dioxide.
///
/// By default the level stays what it is, so that a test is disturbed by nothing: ``BehaviorCommand/applySensorInput(_:)`` sets it.
/// With a pattern it drifts, from where it is, to the greatest level and the least in turn (``SensorPattern/regular``) or
/// to one between them (``SensorPattern/random``), and is told in steps: of 0.1 °C, of 10 lux, of 10 ppm of carbon
/// dioxide, else of 1. A level that is told by command is where the drift goes on from.
///
/// A gas is detected from the threshold on, and its peak level is the greatest so far; a sensor of gas that has no
/// characteristic for the level has one all the same. The densities of an air quality sensor, Status Active, Status
/// Fault, Status Tampered and Status Low Battery stay as they are.
///
/// No call traps, whatever the values, the durations and the order of the instants.
package struct LevelSensor: EventDrivenBehavior {
    /// What it measures depends on its kind.
    package static let rules: WriteRules = [:]
    /// What it tells depends on its kind.
    package static let required: [CharacteristicType] = []

    package var values: ServiceValues
    private let kind: Kind
    private let configuration: Configuration
    private let seed: UInt64
    private var drift: Drift?
    private var level: Double
    private var peak: Double
    /// Up to when the drift is in.
    private var lastUpdate = MonotonicInstant.zero

    /// Creates a sensor that finds the least that its pattern has.
    ///
    /// - Parameter seed: What the turns of ``SensorPattern/random`` are drawn from.
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

    /// Takes over the kept values; whether a gas is detected follows from its level.
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

    /// Takes one look at its drift, however much of it has passed.
    package mutating func processEvents(through now: MonotonicInstant) {
        if let drift {
            let end = max(lastUpdate, now)
            level = roundedToStep(drift.level(at: end))
            peak = max(peak, roundedToStep(drift.maximum(from: lastUpdate, through: end)))
            lastUpdate = end
        }
        updateValues()
    }

    /// Knows ``BehaviorCommand/applySensorInput(_:)`` of the level, of the peak level, and of whether a gas is detected: the level
    /// then is what it must be for that.
    package mutating func applySensorInput(_ found: BehaviorChange, at now: MonotonicInstant) -> Bool {
        guard storeSensorInput(found) else { return false }
        peak = max(peak, level)
        startDrift(at: now)
        return true
    }

    /// Takes what it is told; returns whether it knows it.
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

    /// Lets the drift begin where the level is.
    private mutating func startDrift(at now: MonotonicInstant) {
        drift = Drift(configuration, seed: seed, from: level, at: now)
        lastUpdate = now
        processEvents(through: now)
    }

    /// The nearest step, to a millionth, so that 0.1 °C is told as such.
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

    /// A level that drifts: straight from turn to turn, one turn in each span of time.
    ///
    /// All of it follows from the instant alone, so that looking often and looking once give the same answer.
    struct Drift: Sendable, Hashable {
        /// The turns that ``maximum(from:through:)`` looks at one by one.
        private static let maximumTurningPoints: UInt64 = 10_000

        private let origin: MonotonicInstant
        private let originLevel: Double
        private let levels: ClosedRange<Double>
        private let isRandom: Bool
        private let seed: UInt64
        private let period: UInt64

        /// Begins at a level, which may lie anywhere; `nil` when nothing is to drift.
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

        /// The level at `now`.
        func level(at now: MonotonicInstant) -> Double {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / period
            let (begin, end) = (turningPoint(number), turningPoint(number &+ 1))
            return begin + (end - begin) * (Double(elapsed % period) / Double(period))
        }

        /// When the level is next on another step than at `now`, or turns; `nil` when the clock does not go so far.
        func nextChange(after now: MonotonicInstant, step: Double) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let (number, passed) = elapsed.quotientAndRemainder(dividingBy: period)
            let (begin, end) = (turningPoint(number), turningPoint(number &+ 1))
            let present = (level(at: now) / step).rounded()
            let next = (present + (end > begin ? 0.5 : -0.5)) * step
            let share = (next - begin) / (end - begin)
            var ahead = period - passed
            if share >= 0, share < 1 {
                // Rounding may leave it on its step at the very crossing: a millisecond on it is beyond.
                let crossing = UInt64((share * Double(period)).rounded(.up))
                let least = passed + 1_000_000
                ahead = min(ahead, max(crossing, least) - passed)
            }
            return now.advanced(byNanoseconds: ahead)
        }

        /// The greatest level between two instants.
        ///
        /// Over more turns than could be looked at one by one it is the greatest that the pattern has.
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
