internal import AccessoryModel

extension BinarySensor {
    /// What files and people are told of these sensors.
    static let definitions = [
        definition(.motion, .motionSensor, "motionSensor", "Sees motion when it is told, or by a pattern."),
        definition(.occupancy, .occupancySensor, "occupancySensor", "Finds somebody when it is told, or by a pattern."),
        definition(
            .contact,
            .contactSensor,
            "contactSensor",
            "A door or window is opened when it is told, or by a pattern."
        ),
        definition(.leak, .leakSensor, "leakSensor", "Finds water when it is told, or by a pattern."),
        definition(.smoke, .smokeSensor, "smokeSensor", "Finds smoke when it is told, or by a pattern."),
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
            needs: [kind.type],
            standard: Configuration(),
            parameters: [
                .choice("pattern", \.pattern, "How it is set off by itself: not at all, regularly, or by chance."),
                .duration(
                    "every",
                    \.every,
                    within: .seconds(1) ... .seconds(86_400),
                    "The time in which a pattern sets it off once."
                ),
                .duration("lasts", \.lasts, "How long a pattern sets it off for."),
                .duration(
                    "clears",
                    \.clears,
                    "How long it stays set off by a command; without it, until it is told otherwise."
                ),
            ]
        ) { configuration, seed in BinarySensor(kind, configuration, seed: seed) }
    }
}
