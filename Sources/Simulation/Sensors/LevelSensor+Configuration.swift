extension LevelSensor {
    /// How a sensor is built, and what it is made to find.
    package struct Configuration: Sendable, Hashable {
        /// How the level drifts by itself; ``SensorPattern/still`` by default.
        package var pattern: SensorPattern
        /// The time from one peak of a regular pattern to the next, and between two turns of a random one.
        ///
        /// 1 h by default, at least a minute.
        package var every: Duration
        /// The least level of a pattern.
        package var least: Double
        /// The greatest level of a pattern.
        package var greatest: Double
        /// The level from which on a gas is detected; nothing to the other kinds.
        package var threshold: Double

        /// Creates a configuration; without arguments, of a sensor that finds what it is told.
        package init(
            _ kind: Kind,
            pattern: SensorPattern = .still,
            every: Duration = .seconds(3_600),
            least: Double? = nil,
            greatest: Double? = nil,
            threshold: Double? = nil
        ) {
            let usual = kind.usual
            self.pattern = pattern
            self.every = every
            self.least = least ?? usual.levels.lowerBound
            self.greatest = greatest ?? usual.levels.upperBound
            self.threshold = threshold ?? usual.threshold
        }
    }
}

extension LevelSensor.Kind {
    /// What a pattern drifts between, and from where on a gas is detected, unless a definition says otherwise.
    fileprivate var usual: (levels: ClosedRange<Double>, threshold: Double) {
        switch self {
        case .light: (1...1_000, 0)
        case .temperature: (18...24, 0)
        case .humidity: (40...60, 0)
        case .airQuality: (1...4, 0)
        case .carbonMonoxide: (0...20, 50)
        case .carbonDioxide: (400...1_400, 1_000)
        }
    }
}
