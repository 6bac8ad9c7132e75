internal import AccessoryModel

extension Doorbell {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "doorbell",
        "A doorbell with a chime.",
        services: [.doorbell],
        needs: [.programmableSwitchEvent],
        standard: Configuration(),
        parameters: [.duration("chime", \.chime, "How long its chime sounds.")]
    ) { configuration, _ in Doorbell(configuration) }
}
