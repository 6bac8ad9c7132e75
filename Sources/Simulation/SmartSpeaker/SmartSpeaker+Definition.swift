internal import AccessoryModel

extension SmartSpeaker {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "smartSpeaker",
        "A speaker that plays, pauses and stops.",
        services: [.smartSpeaker],
        needs: [.currentMediaState, .targetMediaState],
        standard: Configuration(),
        parameters: [.duration("buffering", \.buffering, "What it takes to begin to play.")]
    ) { configuration, _ in SmartSpeaker(configuration) }
}
