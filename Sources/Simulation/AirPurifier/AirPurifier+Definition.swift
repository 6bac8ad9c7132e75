internal import AccessoryModel

extension AirPurifier {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "airPurifier",
        "An air purifier that takes a while to get up to speed.",
        services: [.airPurifier],
        needs: [.active, .currentAirPurifierState, .targetAirPurifierState],
        standard: BlowerConfiguration(),
        parameters: BlowerConfiguration.parameters
    ) { configuration, _ in AirPurifier(configuration) }
}
