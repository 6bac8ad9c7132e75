package import AccessoryModel

extension LevelSensor {
    /// What a sensor measures.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Lux.
        case light
        /// Degrees Celsius.
        case temperature
        /// Relative humidity in percent.
        case humidity
        /// From 1, excellent, to 5, poor.
        case airQuality
        /// Carbon monoxide in parts per million.
        case carbonMonoxide
        /// Carbon dioxide in parts per million.
        case carbonDioxide

        /// The characteristic that tells it.
        package var level: CharacteristicType {
            switch self {
            case .light: .currentAmbientLightLevel
            case .temperature: .currentTemperature
            case .humidity: .currentRelativeHumidity
            case .airQuality: .airQuality
            case .carbonMonoxide: .carbonMonoxideLevel
            case .carbonDioxide: .carbonDioxideLevel
            }
        }

        /// The characteristic that tells the greatest level since somebody set it back.
        package var peak: CharacteristicType? {
            switch self {
            case .carbonMonoxide: .carbonMonoxidePeakLevel
            case .carbonDioxide: .carbonDioxidePeakLevel
            case .light, .temperature, .humidity, .airQuality: nil
            }
        }

        /// The characteristic that tells whether the level is too high.
        package var alarm: CharacteristicType? {
            switch self {
            case .carbonMonoxide: .carbonMonoxideDetected
            case .carbonDioxide: .carbonDioxideDetected
            case .light, .temperature, .humidity, .airQuality: nil
            }
        }

        /// What the service cannot be without.
        package var required: CharacteristicType {
            alarm ?? level
        }

        /// The steps in which a drifting level is told.
        var step: Double {
            switch self {
            case .temperature: 0.1
            case .humidity, .airQuality, .carbonMonoxide: 1
            case .light, .carbonDioxide: 10
            }
        }

        /// The levels that a definition may name.
        var range: ClosedRange<Double> {
            switch self {
            case .light: 0.0001...100_000
            case .temperature: -100...200
            case .humidity, .carbonMonoxide: 0...100
            case .airQuality: 1...5
            case .carbonDioxide: 0...100_000
            }
        }
    }
}

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

extension LevelSensor {
    /// What files and people are told of these sensors.
    static let definitions = [
        definition(.light, .lightSensor, "lightSensor", "Measures light, in lux."),
        definition(.temperature, .temperatureSensor, "temperatureSensor", "Measures a temperature, in °C."),
        definition(.humidity, .humiditySensor, "humiditySensor", "Measures relative humidity, in %."),
        definition(
            .airQuality,
            .airQualitySensor,
            "airQualitySensor",
            "Measures the air's quality, from 1, excellent, to 5, poor."
        ),
        definition(
            .carbonMonoxide,
            .carbonMonoxideSensor,
            "carbonMonoxideSensor",
            "Measures carbon monoxide, in ppm, with its peak, and detects it."
        ),
        definition(
            .carbonDioxide,
            .carbonDioxideSensor,
            "carbonDioxideSensor",
            "Measures carbon dioxide, in ppm, with its peak, and detects it."
        ),
    ]

    private static func definition(
        _ kind: Kind,
        _ service: ServiceType,
        _ name: String,
        _ summary: String
    ) -> SimulationModelDefinition {
        SimulationModelDefinition(
            name,
            summary,
            services: [service],
            needs: [kind.required],
            standard: Configuration(kind),
            parameters: parameters(of: kind)
        ) { configuration, seed in LevelSensor(kind, configuration, seed: seed) }
    }

    private static func parameters(of kind: Kind) -> [ModelParameter<Configuration>] {
        let drift: [ModelParameter<Configuration>] = [
            .choice("pattern", \.pattern, "How the level drifts by itself: not at all, regularly, or by chance."),
            .duration(
                "every",
                \.every,
                within: .seconds(60) ... .seconds(86_400),
                "The time between two peaks of a regular pattern, or two turns of a random one."
            ),
            .number("least", \.least, kind.range, "The least level of a pattern."),
            .number("greatest", \.greatest, kind.range, "The greatest level of a pattern."),
        ]
        guard kind.alarm != nil else { return drift }
        return drift + [.number("threshold", \.threshold, kind.range, "The level from which on it is detected.")]
    }
}
