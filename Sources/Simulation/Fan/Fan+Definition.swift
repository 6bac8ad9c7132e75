internal import AccessoryModel

extension Fan {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "fan",
        "A fan that takes a while to get up to speed.",
        services: [.fanv2, .fan],
        needs: [],
        standard: BlowerConfiguration(),
        parameters: BlowerConfiguration.parameters
    ) { configuration, _ in Fan(configuration) }
}
