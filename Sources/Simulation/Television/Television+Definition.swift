internal import AccessoryModel

extension Television {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "television",
        "A television with its inputs, its remote control and what it plays.",
        services: [.television],
        needs: [.active, .activeIdentifier],
        standard: Configuration(),
        parameters: [
            .duration("boots", \.boots, "What it takes from Active until there is a picture."),
            .duration("buffering", \.buffering, "What it takes to begin to play."),
        ]
    ) { configuration, _ in Television(configuration) }
}
