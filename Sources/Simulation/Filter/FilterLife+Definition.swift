internal import AccessoryModel

extension FilterLife {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "filter",
        "A filter that wears while the air purifier of its accessory runs.",
        services: [.filterMaintenance],
        needs: [.filterChangeIndication],
        standard: Configuration(),
        parameters: [
            .duration(
                "life",
                \.life,
                within: .seconds(60) ... .seconds(10 * 366 * 86_400),
                "How long a new one lasts while air goes through it."
            ),
            .number("changeAt", \.changeAt, 0...100, "At which Filter Life Level, in %, it is to be changed."),
        ]
    ) { configuration, _ in FilterLife(configuration) }
}
