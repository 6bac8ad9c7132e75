internal import AccessoryModel

extension PositionDrive {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "position",
        "A door, a window or a covering that moves to where it is sent, with its slats.",
        services: [.windowCovering, .door, .window],
        needs: [.targetPosition, .currentPosition, .positionState],
        standard: Configuration(),
        parameters: [
            .duration("travel", \.travel, "What the whole way takes, from 0 to 100 % as well as back."),
            .duration("tiltTravel", \.tiltTravel, "What slats take from -90° to 90° as well as back."),
            .number("step", \.step, 1...100, "At which multiples of a percentage it is told on the way where it is."),
        ]
    ) { configuration, _ in PositionDrive(configuration) }
}
