internal import AccessoryModel

/// Every model that a file may name.
///
/// Readers, writers and the schema of files follow from it: a further model is one entry here and one case of
/// ``SimulationModel``.
package enum SimulationCatalogue {
    /// The entries in the order in which people are told of them.
    package static let models: [SimulationModelDefinition] = [garageDoor, dimmableLight]

    /// The entry with this name in files; `nil` when there is none.
    package static func model(named name: String) -> SimulationModelDefinition? {
        models.first { $0.name == name }
    }

    private static let garageDoor = SimulationModelDefinition(
        "garageDoor",
        "A garage door, with its lock if it has one.",
        services: [.garageDoorOpener],
        needs: [.targetDoorState, .currentDoorState],
        standard: GarageDoor.Configuration(),
        parameters: [
            .duration("travel", \.travel, "What the whole way takes, from closed to open as well as back."),
            .duration("lockTravel", \.lockTravel, "What the lock's bolt takes for its whole way."),
            .duration(
                "obstructionClears",
                \.obstructionClears,
                "How long an obstruction lasts; without it, until it is taken away."
            ),
        ],
        model: SimulationModel.garageDoor
    ) { model in
        if case .garageDoor(let configuration) = model { configuration } else { nil }
    }

    private static let dimmableLight = SimulationModelDefinition(
        "dimmableLight",
        "A lamp that fades.",
        services: [.lightbulb],
        needs: [.on],
        standard: DimmableLight.Configuration(),
        parameters: [
            ModelParameter(
                name: "fade",
                kind: .durationOrCharacteristic(.upToADay),
                summary: "What a fade takes, or the name of the characteristic of the service that holds the seconds."
            ) { configuration in
                configuration.fadeRate.map(SimulationArgument.characteristic) ?? .duration(configuration.fade)
            } apply: { argument, configuration in
                switch argument {
                case .duration(let duration): configuration.fade = duration
                case .characteristic(let type): configuration.fadeRate = type
                case .number, .flag, .choice: break
                }
            }
        ],
        model: SimulationModel.dimmableLight
    ) { model in
        if case .dimmableLight(let configuration) = model { configuration } else { nil }
    }
}
