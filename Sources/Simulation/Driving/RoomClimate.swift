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
    private(set) var shown: Double
    /// When it passes a value to be told or to act on, or the outside changes.
    private(set) var nextEvent: MonotonicInstant?

    private let surroundings: Surroundings
    private var band = Band()
    /// Since when the device and the outside are as they are, and what the quantity was then.
    private var since: MonotonicInstant
    private var level: Double
    private var hour = 0
    private var hourEnd: MonotonicInstant

    /// Begins a day.
    init(_ surroundings: Surroundings, at level: Double, doing action: Action = .idle, from now: MonotonicInstant) {
        self.surroundings = surroundings
        self.level = level.within(surroundings.limits)
        self.action = action
        shown = self.level
        since = now
        hourEnd = now.advanced(by: .seconds(3_600))
        plan()
    }

    /// What the outside is at the moment.
    var outside: Double { surroundings.outside(inHour: hour) }

    /// The quantity at an instant, not later than ``nextEvent``.
    func value(at now: MonotonicInstant) -> Double {
        let equilibrium = equilibrium
        let hours = Double(since.nanoseconds(to: now)) / Self.nanosecondsOfHour
        return equilibrium + (level - equilibrium) * Double.exp(-hours / surroundings.exchange)
    }

    /// Does what is due.
    mutating func happen(at due: MonotonicInstant) {
        let value = value(at: due)
        var turns = 0
        while isRising ? value >= nextLine - Self.noise : value <= nextLine + Self.noise,
            surroundings.limits.contains(nextLine), turns < 10_000
        {
            shown = nextLine
            turns += 1
        }
        if surroundings.swing > 0, hourEnd <= due {
            rebase(to: value, at: due)
            hour = (hour + 1) % 24
            hourEnd = hourEnd.advanced(by: .seconds(3_600))
        }
        act(on: value, at: due, begins: surroundings.hysteresis)
        plan()
    }

    /// Lets the device aim at a band.
    ///
    /// - Parameter isFresh: Whether somebody has just asked for it: then the device begins at once, however little is
    ///   missing.
    mutating func aim(at band: Band, isFresh: Bool, now: MonotonicInstant) {
        self.band = Band(
            low: band.low?.within(surroundings.limits),
            high: band.high?.within(surroundings.limits)
        )
        if let low = self.band.low, let high = self.band.high, low > high {
            self.band.low = high
        }
        act(on: value(at: now), at: now, begins: isFresh ? 2 * Self.noise : surroundings.hysteresis)
        plan()
    }

    /// Lets the quantity be another at once.
    mutating func jump(to value: Double, at now: MonotonicInstant) {
        level = value.within(surroundings.limits)
        shown = level
        since = now
        act(on: level, at: now, begins: surroundings.hysteresis)
        plan()
    }

    /// Leaves a time out.
    mutating func skip(_ duration: Duration) {
        since = since.advanced(by: duration)
        hourEnd = hourEnd.advanced(by: duration)
        plan()
    }

    private mutating func act(on value: Double, at now: MonotonicInstant, begins margin: Double) {
        let wanted = wantedAction(at: value, begins: margin)
        guard wanted != action else { return }
        rebase(to: value, at: now)
        action = wanted
    }

    private func wantedAction(at value: Double, begins margin: Double) -> Action {
        if action == .raising, let low = band.low, value < low - Self.noise { return .raising }
        if action == .lowering, let high = band.high, value > high + Self.noise { return .lowering }
        if let low = band.low, value <= low - margin + Self.noise { return .raising }
        if let high = band.high, value >= high + margin - Self.noise { return .lowering }
        return .idle
    }

    /// The value at which the device does something else, if it gets there.
    private var threshold: Double? {
        switch action {
        case .raising: band.low
        case .lowering: band.high
        case .idle:
            isRising ? band.high.map { $0 + surroundings.hysteresis } : band.low.map { $0 - surroundings.hysteresis }
        }
    }

    /// What a value may be off by arithmetic.
    private static let noise = 1e-9
    /// What an hour has.
    private static let nanosecondsOfHour = 3.6e12

    private var equilibrium: Double {
        let added =
            switch action {
            case .idle: 0.0
            case .raising: surroundings.raising
            case .lowering: -surroundings.lowering
            }
        return outside + added * surroundings.exchange
    }

    private var isRising: Bool { equilibrium > level }

    /// The next multiple of the resolution on the way.
    private var nextLine: Double {
        let resolution = surroundings.resolution
        let steps = shown / resolution
        let line = isRising ? (steps + 1e-6).rounded(.down) + 1 : (steps - 1e-6).rounded(.up) - 1
        return line * resolution
    }

    private mutating func rebase(to value: Double, at now: MonotonicInstant) {
        level = value
        since = now
    }

    /// Looks ahead, after everything that has changed.
    private mutating func plan() {
        let equilibrium = equilibrium
        let rest = max(share(at: nextLine, to: equilibrium), threshold.map { share(at: $0, to: equilibrium) } ?? 0)
        let nanoseconds = (surroundings.exchange * -Double.log(rest) * Self.nanosecondsOfHour).rounded(.up)
        let passage = UInt64(exactly: nanoseconds).flatMap(since.after)
        nextEvent = surroundings.swing > 0 ? min(passage ?? hourEnd, hourEnd) : passage
    }

    /// What is left of the way to the equilibrium at a value, as a share; 0 of one that it never reaches, or leaves behind.
    private func share(at value: Double, to equilibrium: Double) -> Double {
        guard surroundings.limits.contains(value) else { return 0 }
        let share = (value - equilibrium) / (level - equilibrium)
        return share > 0 && share < 1 ? share : 0
    }

    /// What a room's quantity depends on; what is out of reason is brought to the nearest that is not.
    struct Surroundings: Sendable, Hashable {
        /// The mean that the quantity would settle at.
        let outside: Double
        /// How far the outside goes up and down in a day.
        let swing: Double
        /// How many hours it takes to lose all but 1/e of the difference from the outside.
        let exchange: Double
        /// What the device adds in an hour.
        let raising: Double
        /// What the device takes away in an hour.
        let lowering: Double
        /// How far it leaves what is wanted before the device begins.
        let hysteresis: Double
        /// At which multiples it is told.
        let resolution: Double
        /// What it can be.
        let limits: ClosedRange<Double>

        init(
            outside: Double,
            swing: Double,
            exchange: Duration,
            raising: Double,
            lowering: Double,
            hysteresis: Double,
            resolution: Double,
            limits: ClosedRange<Double>
        ) {
            self.outside = outside.within(limits)
            self.swing = swing.within(0...100)
            self.exchange = (exchange / .seconds(3_600)).within(0.01...1e6)
            self.raising = raising.within(0...1_000)
            self.lowering = lowering.within(0...1_000)
            self.hysteresis = hysteresis.within(0.05...50)
            self.resolution = resolution.within(0.05...50)
            self.limits = limits
        }

        /// The outside in an hour of the day: at its mean in the first, and highest six hours later.
        func outside(inHour hour: Int) -> Double {
            outside + swing * Self.sines[hour % 24]
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
    func within(_ range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
