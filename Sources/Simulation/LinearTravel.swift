package import HAPCore

/// A movement at an even pace between two positions in percent: a door's, a bolt's, a lamp's output.
///
/// The position follows from the instant alone, so that looking often and looking once give the same answer.
package struct LinearTravel: Sendable, Hashable {
    /// Where it begins, 0 to 100.
    package let origin: Double
    /// Where it ends, 0 to 100.
    package let destination: Double
    /// When it begins.
    package let start: MonotonicInstant
    /// When it ends, not before ``start``.
    package let end: MonotonicInstant

    /// Creates a movement that takes `duration`, however far it goes.
    ///
    /// A negative duration counts as none; positions are brought into 0 to 100, not a number becomes 0. An end beyond
    /// the clock's range is brought to the end of the range.
    package init(from origin: Double, to destination: Double, at start: MonotonicInstant, lasting duration: Duration) {
        self.origin = Self.percent(origin)
        self.destination = Self.percent(destination)
        self.start = start
        end = start.advanced(by: max(duration, .zero))
    }

    /// Creates a movement that takes its share of what the whole way from 0 to 100 takes.
    package init(from origin: Double, to destination: Double, at start: MonotonicInstant, wholeWay: Duration) {
        let share = abs(Self.percent(destination) - Self.percent(origin)) / 100
        let nanoseconds = (Double(max(wholeWay, .zero).clampedNanoseconds) * share).rounded()
        self.init(
            from: origin,
            to: destination,
            at: start,
            lasting: .nanoseconds(Int64(exactly: nanoseconds) ?? .max)
        )
    }

    /// The position at `now`, 0 to 100: the origin before the start, the destination from the end on.
    package func position(at now: MonotonicInstant) -> Double {
        guard now < end else { return destination }
        guard now > start else { return origin }
        let share = Self.nanoseconds(from: start, to: now) / Self.nanoseconds(from: start, to: end)
        return Self.percent(origin + (destination - origin) * share)
    }

    /// The nearest position that exists.
    package static func percent(_ position: Double) -> Double {
        position.isNaN ? 0 : min(max(position, 0), 100)
    }

    /// The distance between two instants in order: as unsigned it always fits.
    private static func nanoseconds(from start: MonotonicInstant, to end: MonotonicInstant) -> Double {
        Double(UInt64(bitPattern: end.nanoseconds &- start.nanoseconds))
    }
}
