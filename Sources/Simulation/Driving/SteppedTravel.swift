internal import HAPCore

/// A movement at an even pace between two values of any unit, which is told in steps: at each whole multiple of the step
/// on the way, and at its end.
///
/// The value follows from the instant alone, so that looking often and looking once give the same answer.
struct SteppedTravel: Sendable, Hashable {
    /// Where it ends.
    let destination: Double
    /// When it ends.
    let end: MonotonicInstant

    private let origin: Double
    private let start: MonotonicInstant
    private let step: Double
    /// What was told last: the origin, a multiple of the step, or the destination.
    private(set) var reportedValue: Double

    /// Creates a movement.
    ///
    /// - Parameters:
    ///   - origin: Where it begins; finite, of an amount that still has fractions.
    ///   - destination: Where it ends; the same.
    ///   - duration: What it takes; less than nothing counts as nothing.
    ///   - step: What is told between, more than 0.
    init(
        from origin: Double,
        to destination: Double,
        at start: MonotonicInstant,
        lasting duration: Duration,
        step: Double
    ) {
        self.origin = origin
        self.destination = destination
        self.start = start
        self.step = step
        end = start.advanced(by: max(duration, .zero))
        reportedValue = origin
    }

    /// Creates a movement that takes its share of what a way of this length takes.
    init(
        from origin: Double,
        to destination: Double,
        at start: MonotonicInstant,
        rate: (length: Double, duration: Duration),
        step: Double
    ) {
        let share = rate.length > 0 ? abs(destination - origin) / rate.length : 0
        let nanoseconds = (Double(max(rate.duration, .zero).clampedNanoseconds) * share).rounded()
        self.init(
            from: origin,
            to: destination,
            at: start,
            lasting: .nanoseconds(Int64(exactly: nanoseconds) ?? .max),
            step: step
        )
    }

    /// Whether it goes to larger values.
    var isRising: Bool { destination > origin }

    /// When there is something to tell next: the next multiple of the step, or the end.
    var nextChange: MonotonicInstant {
        let line = nextReportedValue
        guard line != destination else { return end }
        let share = (line - origin) / (destination - origin)
        let nanoseconds = (Double(start.nanoseconds(to: end)) * share).rounded(.up)
        return min(UInt64(exactly: nanoseconds).flatMap(start.advanced) ?? end, end)
    }

    /// The value at an instant: the origin before the start, the destination from the end on.
    func value(at now: MonotonicInstant) -> Double {
        guard now < end else { return destination }
        guard now > start else { return origin }
        let share = Double(start.nanoseconds(to: now)) / Double(start.nanoseconds(to: end))
        return origin + (destination - origin) * share
    }

    /// Tells what has been passed by `now`; returns whether it has ended.
    mutating func settle(at now: MonotonicInstant) -> Bool {
        guard now < end else {
            reportedValue = destination
            return true
        }
        // Of many steps at one instant, which only a movement of no time to speak of has, the last is told.
        var turns = 0
        while nextChange <= now, turns < 1_000 {
            reportedValue = nextReportedValue
            turns += 1
        }
        return false
    }

    /// The next value that is told.
    private var nextReportedValue: Double {
        if isRising {
            min(((reportedValue / step + 1e-9).rounded(.down) + 1) * step, destination)
        } else {
            max(((reportedValue / step - 1e-9).rounded(.up) - 1) * step, destination)
        }
    }
}

/// A value that rests, or is on its way to another one.
enum SteppedMotion: Sendable, Hashable {
    case resting(Double)
    case moving(SteppedTravel)

    func value(at now: MonotonicInstant) -> Double {
        switch self {
        case .resting(let value): value
        case .moving(let travel): travel.value(at: now)
        }
    }

    /// When there is something to tell.
    var nextEvent: MonotonicInstant? {
        switch self {
        case .resting: nil
        case .moving(let travel): travel.nextChange
        }
    }

    /// Where it is to be.
    var goal: Double {
        switch self {
        case .resting(let value): value
        case .moving(let travel): travel.destination
        }
    }

    /// What was told last.
    var reportedValue: Double {
        switch self {
        case .resting(let value): value
        case .moving(let travel): travel.reportedValue
        }
    }

    mutating func settle(at now: MonotonicInstant) {
        guard case .moving(var travel) = self else { return }
        self = travel.settle(at: now) ? .resting(travel.destination) : .moving(travel)
    }
}
