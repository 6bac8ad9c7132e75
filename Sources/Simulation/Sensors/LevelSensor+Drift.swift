internal import HAPCore

extension LevelSensor {
    /// A level that drifts: straight from turn to turn, one turn in each span of time.
    ///
    /// All of it follows from the instant alone, so that looking often and looking once give the same answer.
    struct Drift: Sendable, Hashable {
        /// The turns that ``greatest(from:through:)`` looks at one by one.
        private static let maximumTurns: UInt64 = 10_000

        private let origin: MonotonicInstant
        private let originLevel: Double
        private let levels: ClosedRange<Double>
        private let isRandom: Bool
        private let seed: UInt64
        private let span: UInt64

        /// Begins at a level, which may lie anywhere; `nil` when nothing is to drift.
        init?(_ configuration: Configuration, seed: UInt64, from level: Double, at origin: MonotonicInstant) {
            guard configuration.pattern != .still else { return nil }
            self.origin = origin
            originLevel = level
            let (least, greatest) = (configuration.least, configuration.greatest)
            levels = min(least, greatest)...max(least, greatest)
            isRandom = configuration.pattern == .random
            self.seed = seed
            let every = UInt64(max(configuration.every, .seconds(60)).clampedNanoseconds)
            span = isRandom ? every : every / 2
        }

        /// The level at `now`.
        func level(at now: MonotonicInstant) -> Double {
            let elapsed = origin.nanoseconds(to: now)
            let number = elapsed / span
            let (begin, end) = (turn(number), turn(number &+ 1))
            return begin + (end - begin) * (Double(elapsed % span) / Double(span))
        }

        /// When the level is next on another step than at `now`, or turns; `nil` when the clock does not go so far.
        func change(after now: MonotonicInstant, step: Double) -> MonotonicInstant? {
            let elapsed = origin.nanoseconds(to: now)
            let (number, passed) = elapsed.quotientAndRemainder(dividingBy: span)
            let (begin, end) = (turn(number), turn(number &+ 1))
            let present = (level(at: now) / step).rounded()
            let next = (present + (end > begin ? 0.5 : -0.5)) * step
            let share = (next - begin) / (end - begin)
            var ahead = span - passed
            if share >= 0, share < 1 {
                // Rounding may leave it on its step at the very crossing: a millisecond on it is beyond.
                let crossing = UInt64((share * Double(span)).rounded(.up))
                let least = passed + 1_000_000
                ahead = min(ahead, max(crossing, least) - passed)
            }
            return now.after(nanoseconds: ahead)
        }

        /// The greatest level between two instants.
        ///
        /// Over more turns than could be looked at one by one it is the greatest that the pattern has.
        func greatest(from start: MonotonicInstant, through end: MonotonicInstant) -> Double {
            let first = origin.nanoseconds(to: start) / span
            let last = origin.nanoseconds(to: end) / span
            let ends = max(level(at: start), level(at: end))
            guard first < last else { return ends }
            guard last - first <= Self.maximumTurns else { return max(ends, levels.upperBound) }
            return (first + 1...last).reduce(ends) { max($0, turn($1)) }
        }

        private func turn(_ number: UInt64) -> Double {
            guard number > 0 else { return originLevel }
            let share = isRandom ? SeededRandom.unit(at: number, of: seed) : number % 2 == 1 ? 1 : 0
            return levels.lowerBound + (levels.upperBound - levels.lowerBound) * share
        }
    }
}
