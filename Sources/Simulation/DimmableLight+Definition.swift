internal import AccessoryModel

extension DimmableLight {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "dimmableLight",
        "A lamp that fades.",
        services: [.lightbulb],
        needs: [.on],
        standard: Configuration(),
        parameters: [.fade]
    ) { configuration, _ in DimmableLight(configuration) }
}
