internal import AccessoryModel

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
