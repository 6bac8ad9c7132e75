internal import AccessoryModel

extension Lock {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "lock",
        "A lock whose bolt takes its time, and may jam.",
        services: [.lockMechanism],
        needs: [.lockTargetState, .lockCurrentState],
        standard: Configuration(),
        parameters: [
            .duration("travel", \.travel, "What the bolt takes for its whole way."),
            .number("jams", \.jams, 0...1, "How likely a movement jams on its way, from 0 to 1."),
        ]
    ) { configuration, seed in Lock(configuration, seed: seed) }
}
