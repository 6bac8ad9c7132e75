internal import HAPCore

/// A movement at constant speed between two values of any unit that is reported in steps.
///
/// It is reported at each multiple of the step on the way, and at its end. The value depends only on the time, so the
/// number of queries does not affect it.
struct SteppedTravel: Sendable, Hashable {
    private let travel: LinearTravel
    private let step: Double
    /// The value that was reported last: the origin, a multiple of the step, or the destination.
    private(set) var reportedValue: Double

    /// Creates a movement whose duration is proportional to its distance.
    ///
    /// - Parameters:
    ///   - origin: The start value; finite, and small enough for a `Double` to hold a fraction.
    ///   - destination: The end value, with the same restrictions.
    ///   - rate: A distance and the duration of a movement over this distance; a negative one counts as zero.
    ///   - step: The distance between reported values, greater than 0.
    init(
        from origin: Double,
        to destination: Double,
        at start: MonotonicInstant,
        rate: (length: Double, duration: Duration),
        step: Double
    ) {
        travel = LinearTravel(
            from: origin,
            to: destination,
            at: start,
            rate: rate,
            limits: -Double.infinity...Double.infinity
        )
        self.step = step
        reportedValue = origin
    }

    /// The end value.
    var destination: Double { travel.destination }

    /// The time at which the movement ends.
    var end: MonotonicInstant { travel.end }

    /// Whether the values increase.
    var isRising: Bool { travel.destination > travel.origin }

    /// The time of the next report: at the next multiple of the step, or at the end.
    var nextChange: MonotonicInstant {
        let line = nextReportedValue
        guard line != destination else { return end }
        return travel.instant(ofReaching: line) ?? end
    }

    /// Returns the value at a time: the origin before the start, the destination from the end on.
    func value(at now: MonotonicInstant) -> Double {
        travel.position(at: now)
    }

    /// Updates ``reportedValue`` to the last one passed by `now`, and returns whether the movement has ended.
    mutating func settle(at now: MonotonicInstant) -> Bool {
        guard now < end else {
            reportedValue = destination
            return true
        }
        // Several steps share an instant only in an extremely short movement; the last one is reported.
        var turns = 0
        while nextChange <= now, turns < 1_000 {
            reportedValue = nextReportedValue
            turns += 1
        }
        return false
    }

    /// The next value to report.
    private var nextReportedValue: Double {
        if isRising {
            min(((reportedValue / step + 1e-9).rounded(.down) + 1) * step, destination)
        } else {
            max(((reportedValue / step - 1e-9).rounded(.up) - 1) * step, destination)
        }
    }
}

/// A value that is at rest, or moves to another value.
enum SteppedMotion: Sendable, Hashable {
    case resting(Double)
    case moving(SteppedTravel)

    func value(at now: MonotonicInstant) -> Double {
        switch self {
        case .resting(let value): value
        case .moving(let travel): travel.value(at: now)
        }
    }

    /// The time of the next report; `nil` at rest.
    var nextEvent: MonotonicInstant? {
        switch self {
        case .resting: nil
        case .moving(let travel): travel.nextChange
        }
    }

    /// The value after any movement.
    var goal: Double {
        switch self {
        case .resting(let value): value
        case .moving(let travel): travel.destination
        }
    }

    /// The value that was reported last.
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
