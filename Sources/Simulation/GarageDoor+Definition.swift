internal import AccessoryModel

extension GarageDoor {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "garageDoor",
        "A garage door, with its lock if it has one.",
        services: [.garageDoorOpener],
        needs: [.targetDoorState, .currentDoorState],
        standard: Configuration(),
        parameters: [
            .duration("travel", \.travel, "What the whole way takes, from closed to open as well as back."),
            .duration("lockTravel", \.lockTravel, "What the lock's bolt takes for its whole way."),
            .duration(
                "obstructionClears",
                \.obstructionClears,
                "How long an obstruction lasts; without it, until it is taken away."
            ),
        ]
    ) { configuration, _ in GarageDoor(configuration) }
}
