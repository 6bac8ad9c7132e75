internal import AccessoryModel

extension TelevisionSpeaker {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "televisionSpeaker",
        "A speaker whose volume moves with the volume keys.",
        services: [.speaker],
        needs: [.mute],
        standard: Configuration(),
        parameters: [.number("step", \.step, 1...100, "How far one press moves Volume, in percent.")]
    ) { configuration, _ in TelevisionSpeaker(configuration) }
}
