internal import HAPCore
private import RealModule

/// A room's temperature or humidity, which a device raises or lowers and which drifts toward the outside value.
///
/// While the device's action and the outside value do not change, the value approaches an equilibrium exponentially.
/// The equilibrium is the outside value plus the amount that the device adds within the time constant. So the time at
/// which a value is reached can be computed, and no polling is needed. The outside value changes every hour, as in a
/// weather report.
///
/// The reported value is the last multiple of the resolution that the value has passed. So the report does not flicker
/// if the direction changes at a multiple.
package struct RoomClimate: Sendable, Hashable {
    /// The current action of the device.
    private(set) var action: Action
    /// The value that is reported.
    private(set) var reportedValue: Double
    /// The next time at which a reported value or a threshold is reached, or the outside value changes.
    private(set) var nextEvent: MonotonicInstant?

    private let environment: Environment
    private var band = Band()
    /// The time since which the device and the outside have been unchanged, and the value at that time.
    private var baseTime: MonotonicInstant
    private var level: Double
    private var hour = 0
    private var hourEnd: MonotonicInstant

    /// Creates a climate at the start of a day.
    init(_ surroundings: Environment, at level: Double, doing action: Action = .idle, from now: MonotonicInstant) {
        self.environment = surroundings
        self.level = level.clamped(to: surroundings.limits)
        self.action = action
        reportedValue = self.level
        baseTime = now
        hourEnd = now.advanced(by: .seconds(3_600))
        scheduleNextEvent()
    }

    /// The current outside value.
    var outside: Double { environment.outside(inHour: hour) }

    /// Returns the value at a time that is not later than ``nextEvent``.
    func value(at now: MonotonicInstant) -> Double {
        let equilibrium = equilibrium
        let hours = Double(baseTime.nanoseconds(to: now)) / Self.nanosecondsPerHour
        return equilibrium + (level - equilibrium) * Double.exp(-hours / environment.timeConstant)
    }

    /// Handles the event that is due.
    mutating func handleEvent(at due: MonotonicInstant) {
        let value = value(at: due)
        var turns = 0
        while isRising ? value >= nextReportedValue - Self.tolerance : value <= nextReportedValue + Self.tolerance,
            environment.limits.contains(nextReportedValue), turns < 10_000
        {
            reportedValue = nextReportedValue
            turns += 1
        }
        if environment.dailyAmplitude > 0, hourEnd <= due {
            rebase(to: value, at: due)
            hour = (hour + 1) % 24
            hourEnd = hourEnd.advanced(by: .seconds(3_600))
        }
        updateAction(for: value, at: due, margin: environment.hysteresis)
        scheduleNextEvent()
    }

    /// Sets the band that the device keeps the value in.
    ///
    /// - Parameter isNewRequest: Whether the band was just requested. If so, the device starts at once, even for a
    ///   small difference.
    mutating func setBand(_ band: Band, isNewRequest: Bool, now: MonotonicInstant) {
        self.band = Band(
            low: band.low?.clamped(to: environment.limits),
            high: band.high?.clamped(to: environment.limits)
        )
        if let low = self.band.low, let high = self.band.high, low > high {
            self.band.low = high
        }
        updateAction(for: value(at: now), at: now, margin: isNewRequest ? 2 * Self.tolerance : environment.hysteresis)
        scheduleNextEvent()
    }

    /// Changes the value at once.
    mutating func jump(to value: Double, at now: MonotonicInstant) {
        level = value.clamped(to: environment.limits)
        reportedValue = level
        baseTime = now
        updateAction(for: level, at: now, margin: environment.hysteresis)
        scheduleNextEvent()
    }

    /// Moves all times forward by a duration that is skipped.
    mutating func skip(_ duration: Duration) {
        baseTime = baseTime.advanced(by: duration)
        hourEnd = hourEnd.advanced(by: duration)
        scheduleNextEvent()
    }

    private mutating func updateAction(for value: Double, at now: MonotonicInstant, margin: Double) {
        let wanted = targetAction(at: value, margin: margin)
        guard wanted != action else { return }
        rebase(to: value, at: now)
        action = wanted
    }

    private func targetAction(at value: Double, margin: Double) -> Action {
        if action == .raising, let low = band.low, value < low - Self.tolerance { return .raising }
        if action == .lowering, let high = band.high, value > high + Self.tolerance { return .lowering }
        if let low = band.low, value <= low - margin + Self.tolerance { return .raising }
        if let high = band.high, value >= high + margin - Self.tolerance { return .lowering }
        return .idle
    }

    /// The value at which the device changes its action, if it is reached.
    private var threshold: Double? {
        switch action {
        case .raising: band.low
        case .lowering: band.high
        case .idle:
            isRising ? band.high.map { $0 + environment.hysteresis } : band.low.map { $0 - environment.hysteresis }
        }
    }

    /// The tolerance for rounding errors.
    private static let tolerance = 1e-9
    /// The number of nanoseconds in an hour.
    private static let nanosecondsPerHour = 3.6e12

    private var equilibrium: Double {
        let added =
            switch action {
            case .idle: 0.0
            case .raising: environment.raisingRate
            case .lowering: -environment.loweringRate
            }
        return outside + added * environment.timeConstant
    }

    private var isRising: Bool { equilibrium > level }

    /// The next multiple of the resolution in the current direction.
    private var nextReportedValue: Double {
        let resolution = environment.resolution
        let steps = reportedValue / resolution
        let line = isRising ? (steps + 1e-6).rounded(.down) + 1 : (steps - 1e-6).rounded(.up) - 1
        return line * resolution
    }

    private mutating func rebase(to value: Double, at now: MonotonicInstant) {
        level = value
        baseTime = now
    }

    /// Computes the next event; called after every change.
    private mutating func scheduleNextEvent() {
        let equilibrium = equilibrium
        let rest = max(
            remainingFraction(at: nextReportedValue, to: equilibrium),
            threshold.map { remainingFraction(at: $0, to: equilibrium) } ?? 0
        )
        let nanoseconds = (environment.timeConstant * -Double.log(rest) * Self.nanosecondsPerHour).rounded(.up)
        let passage = UInt64(exactly: nanoseconds).flatMap(baseTime.advanced)
        nextEvent = environment.dailyAmplitude > 0 ? min(passage ?? hourEnd, hourEnd) : passage
    }

    /// Returns the fraction of the way to the equilibrium that remains at a value; 0 if the value is never reached.
    private func remainingFraction(at value: Double, to equilibrium: Double) -> Double {
        guard environment.limits.contains(value) else { return 0 }
        let share = (value - equilibrium) / (level - equilibrium)
        return share > 0 && share < 1 ? share : 0
    }

    /// The constants that determine a room's climate; values out of range are clamped.
    struct Environment: Sendable, Hashable {
        /// The mean outside value.
        let outside: Double
        /// The amplitude of the outside value over a day.
        let dailyAmplitude: Double
        /// The time in hours after which the difference from the outside has fallen to 1/e.
        let timeConstant: Double
        /// The amount that the device adds per hour.
        let raisingRate: Double
        /// The amount that the device removes per hour.
        let loweringRate: Double
        /// The deviation from the band at which the device starts.
        let hysteresis: Double
        /// The step of the reported value.
        let resolution: Double
        /// The range of possible values.
        let limits: ClosedRange<Double>

        init(
            outside: Double,
            dailyAmplitude: Double,
            timeConstant: Duration,
            raisingRate: Double,
            loweringRate: Double,
            hysteresis: Double,
            resolution: Double,
            limits: ClosedRange<Double>
        ) {
            self.outside = outside.clamped(to: limits)
            self.dailyAmplitude = dailyAmplitude.clamped(to: 0...100)
            self.timeConstant = (timeConstant / .seconds(3_600)).clamped(to: 0.01...1e6)
            self.raisingRate = raisingRate.clamped(to: 0...1_000)
            self.loweringRate = loweringRate.clamped(to: 0...1_000)
            self.hysteresis = hysteresis.clamped(to: 0.05...50)
            self.resolution = resolution.clamped(to: 0.05...50)
            self.limits = limits
        }

        /// Returns the outside value in an hour of the day: its mean in the first hour, and its maximum six hours
        /// later.
        func outside(inHour hour: Int) -> Double {
            outside + dailyAmplitude * Self.sines[hour % 24]
        }

        /// The sine of each multiple of 15°, one per hour of the day.
        private static let sines: [Double] = {
            let quarter = [0, 0.258_819, 0.5, 0.707_107, 0.866_025, 0.965_926]
            let half = quarter + [1] + quarter.dropFirst().reversed()
            return half + half.map { -$0 }
        }()
    }

    /// The requested range of a value: at least `low`, at most `high`.
    struct Band: Sendable, Hashable {
        var low: Double?
        var high: Double?
    }

    /// The effect of the device on the value.
    enum Action: Sendable, Hashable {
        case idle
        case raising
        case lowering
    }
}

extension Double {
    /// Returns the nearest number in a range; NaN becomes its lower bound.
    func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
