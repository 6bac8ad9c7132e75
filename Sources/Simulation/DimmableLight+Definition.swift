internal import AccessoryModel

extension DimmableLight {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "dimmableLight",
        "A lamp that fades.",
        services: [.lightbulb],
        needs: [.on],
        standard: Configuration(),
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
        ]
    ) { configuration, _ in DimmableLight(configuration) }
}
