internal import AccessoryModel

extension ColorLight {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "colorLight",
        "A lamp whose brightness and colour fade, and whose colour and white match.",
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
            },
            .number("coldest", \.coldest, 50...1_000, "The coldest white that a colour is matched with, in mired."),
            .number("warmest", \.warmest, 50...1_000, "The warmest white that a colour is matched with, in mired."),
        ]
    ) { configuration, _ in ColorLight(configuration) }
}
