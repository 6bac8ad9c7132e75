internal import HAPCore
private import RealModule

/// A quantity of a room, temperature or humidity, that a device raises and lowers while the outside draws it back.
///
/// Within an hour of the day, and while the device does one thing, the quantity nears an equilibrium exponentially: the
/// outside, plus what the device adds in the time of exchange. So the instant at which it reaches a value is known, and
/// nothing has to look before then. The outside changes from hour to hour, like a weather report.
///
/// What is told is the multiple of the resolution that it passed last, so that turning round at such a value does not make
/// it flutter.
package struct RoomClimate: Sendable, Hashable {
    /// What the device does.
    private(set) var action: Action
    /// What is told.
    private(set) var reportedValue: Double
    /// When it passes a value to be told or to act on, or the outside changes.
    private(set) var nextEvent: MonotonicInstant?

    private let environment: Environment
    private var band = Band()
    /// Since when the device and the outside are as they are, and what the quantity was then.
    private var baseTime: MonotonicInstant
    private var level: Double
    private var hour = 0
    private var hourEnd: MonotonicInstant

    /// Begins a day.
    init(_ surroundings: Environment, at level: Double, doing action: Action = .idle, from now: MonotonicInstant) {
        self.environment = surroundings
        self.level = level.clamped(to: surroundings.limits)
        self.action = action
        reportedValue = self.level
        baseTime = now
        hourEnd = now.advanced(by: .seconds(3_600))
        scheduleNextEvent()
    }

    /// What the outside is at the moment.
    var outside: Double { environment.outside(inHour: hour) }

    /// The quantity at an instant, not later than ``nextEvent``.
    func value(at now: MonotonicInstant) -> Double {
        let equilibrium = equilibrium
        let hours = Double(baseTime.nanoseconds(to: now)) / Self.nanosecondsPerHour
        return equilibrium + (level - equilibrium) * Double.exp(-hours / environment.timeConstant)
    }

    /// Does what is due.
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

    /// Lets the device aim at a band.
    ///
    /// - Parameter isNewRequest: Whether somebody has just asked for it: then the device begins at once, however little is
    ///   missing.
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

    /// Lets the quantity be another at once.
    mutating func jump(to value: Double, at now: MonotonicInstant) {
        level = value.clamped(to: environment.limits)
        reportedValue = level
        baseTime = now
        updateAction(for: level, at: now, margin: environment.hysteresis)
        scheduleNextEvent()
    }

    /// Leaves a time out.
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

    /// The value at which the device does something else, if it gets there.
    private var threshold: Double? {
        switch action {
        case .raising: band.low
        case .lowering: band.high
        case .idle:
            isRising ? band.high.map { $0 + environment.hysteresis } : band.low.map { $0 - environment.hysteresis }
        }
    }

    /// What a value may be off by arithmetic.
    private static let tolerance = 1e-9
    /// What an hour has.
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

    /// The next multiple of the resolution on the way.
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

    /// Looks ahead, after everything that has changed.
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

    /// What is left of the way to the equilibrium at a value, as a share; 0 of one that it never reaches, or leaves behind.
    private func remainingFraction(at value: Double, to equilibrium: Double) -> Double {
        guard environment.limits.contains(value) else { return 0 }
        let share = (value - equilibrium) / (level - equilibrium)
        return share > 0 && share < 1 ? share : 0
    }

    /// What a room's quantity depends on; what is out of reason is brought to the nearest that is not.
    struct Environment: Sendable, Hashable {
        /// The mean that the quantity would settle at.
        let outside: Double
        /// How far the outside goes up and down in a day.
        let dailyAmplitude: Double
        /// How many hours it takes to lose all but 1/e of the difference from the outside.
        let timeConstant: Double
        /// What the device adds in an hour.
        let raisingRate: Double
        /// What the device takes away in an hour.
        let loweringRate: Double
        /// How far it leaves what is wanted before the device begins.
        let hysteresis: Double
        /// At which multiples it is told.
        let resolution: Double
        /// What it can be.
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

        /// The outside in an hour of the day: at its mean in the first, and highest six hours later.
        func outside(inHour hour: Int) -> Double {
            outside + dailyAmplitude * Self.sines[hour % 24]
        }

        /// The sine of each 15°: a day in hours.
        private static let sines: [Double] = {
            let quarter = [0, 0.258_819, 0.5, 0.707_107, 0.866_025, 0.965_926]
            let half = quarter + [1] + quarter.dropFirst().reversed()
            return half + half.map { -$0 }
        }()
    }

    /// What is wanted of a quantity: not below `low`, and not above `high`.
    struct Band: Sendable, Hashable {
        var low: Double?
        var high: Double?
    }

    /// What the device does to the quantity.
    enum Action: Sendable, Hashable {
        case idle
        case raising
        case lowering
    }
}

extension Double {
    /// The nearest number of a range; not a number becomes its lower bound.
    func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
