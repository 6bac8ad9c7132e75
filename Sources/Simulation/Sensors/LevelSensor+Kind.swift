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
