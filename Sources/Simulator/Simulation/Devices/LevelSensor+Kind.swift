package import AccessoryModel

extension LevelSensor {
    /// The quantity that a sensor measures.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Light in lux.
        case light
        /// Temperature in degrees Celsius.
        case temperature
        /// Relative humidity in percent.
        case humidity
        /// Air quality from 1, excellent, to 5, poor.
        case airQuality
        /// Carbon monoxide in parts per million.
        case carbonMonoxide
        /// Carbon dioxide in parts per million.
        case carbonDioxide

        /// The characteristic that holds the level.
        package var level: CharacteristicType { traits.level }

        /// The characteristic that holds the highest level since the last reset.
        package var peak: CharacteristicType? { traits.gas?.peak }

        /// The characteristic that holds whether the level is too high.
        package var alarm: CharacteristicType? { traits.gas?.alarm }

        /// The characteristic that the service must have.
        package var required: CharacteristicType { alarm ?? level }

        /// The step in which a drifting level is reported.
        var step: Double { traits.step }

        /// The levels that a definition may use.
        var range: ClosedRange<Double> { traits.range }
    }
}

extension LevelSensor.Kind {
    fileprivate struct Traits {
        let service: ServiceType
        let summary: String
        let level: CharacteristicType
        let step: Double
        let range: ClosedRange<Double>
        /// The range of a pattern, unless a definition gives another.
        let defaultRange: ClosedRange<Double>
        /// The additional characteristics of gas sensors, and the level at which gas is detected.
        var gas: (peak: CharacteristicType, alarm: CharacteristicType, threshold: Double)?
    }

    fileprivate var traits: Traits {
        switch self {
        case .light:
            Traits(
                service: .lightSensor,
                summary: "Measures light, in lux.",
                level: .currentAmbientLightLevel,
                step: 10,
                range: 0.0001...100_000,
                defaultRange: 1...1_000
            )
        case .temperature:
            Traits(
                service: .temperatureSensor,
                summary: "Measures a temperature, in °C.",
                level: .currentTemperature,
                step: 0.1,
                range: -100...200,
                defaultRange: 18...24
            )
        case .humidity:
            Traits(
                service: .humiditySensor,
                summary: "Measures relative humidity, in %.",
                level: .currentRelativeHumidity,
                step: 1,
                range: 0...100,
                defaultRange: 40...60
            )
        case .airQuality:
            Traits(
                service: .airQualitySensor,
                summary: "Measures the air's quality, from 1, excellent, to 5, poor.",
                level: .airQuality,
                step: 1,
                range: 1...5,
                defaultRange: 1...4
            )
        case .carbonMonoxide:
            Traits(
                service: .carbonMonoxideSensor,
                summary: "Measures carbon monoxide, in ppm, with its peak, and detects it.",
                level: .carbonMonoxideLevel,
                step: 1,
                range: 0...100,
                defaultRange: 0...20,
                gas: (.carbonMonoxidePeakLevel, .carbonMonoxideDetected, threshold: 50)
            )
        case .carbonDioxide:
            Traits(
                service: .carbonDioxideSensor,
                summary: "Measures carbon dioxide, in ppm, with its peak, and detects it.",
                level: .carbonDioxideLevel,
                step: 10,
                range: 0...100_000,
                defaultRange: 400...1_400,
                gas: (.carbonDioxidePeakLevel, .carbonDioxideDetected, threshold: 1_000)
            )
        }
    }
}

extension LevelSensor {
    /// The configuration of a sensor.
    package struct Configuration: Sendable, Hashable {
        /// The way the level drifts by itself; ``SensorPattern/still`` by default.
        package var pattern: SensorPattern
        /// The time between two peaks of a regular pattern, or between two turning points of a random one.
        ///
        /// 1 h by default, at least one minute.
        package var interval: Duration
        /// The lowest level of a pattern.
        package var minimum: Double
        /// The highest level of a pattern.
        package var maximum: Double
        /// The level at which a gas is detected; ignored by the other kinds.
        package var threshold: Double

        /// Creates a configuration; without arguments, the level changes only by sensor input.
        package init(
            _ kind: Kind,
            pattern: SensorPattern = .still,
            interval: Duration = .seconds(3_600),
            minimum: Double? = nil,
            maximum: Double? = nil,
            threshold: Double? = nil
        ) {
            self.pattern = pattern
            self.interval = interval
            self.minimum = minimum ?? kind.traits.defaultRange.lowerBound
            self.maximum = maximum ?? kind.traits.defaultRange.upperBound
            self.threshold = threshold ?? kind.traits.gas?.threshold ?? 0
        }
    }

    /// The catalog entries of the level sensors.
    static let definitions = Kind.allCases.map { kind in
        SimulationModelDefinition(
            "\(kind.rawValue)Sensor",
            kind.traits.summary,
            services: [kind.traits.service],
            defaults: Configuration(kind),
            parameters: parameters(of: kind)
        ) { configuration, seed in LevelSensor(kind, configuration, seed: seed) }
    }

    private static func parameters(of kind: Kind) -> [ModelParameter<Configuration>] {
        let drift: [ModelParameter<Configuration>] = [
            .choice("pattern", \.pattern, "How the level drifts by itself: not at all, regularly, or at random."),
            .duration(
                "every",
                \.interval,
                within: .seconds(60) ... .seconds(86_400),
                "The time between two peaks of a regular pattern, or two turning points of a random one."
            ),
            .number("minimum", \.minimum, kind.range, "The lowest level of a pattern."),
            .number("maximum", \.maximum, kind.range, "The highest level of a pattern."),
        ]
        guard kind.alarm != nil else { return drift }
        return drift + [.number("threshold", \.threshold, kind.range, "The level at which the gas is detected.")]
    }
}
