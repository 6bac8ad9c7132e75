extension RoomClimate {
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
