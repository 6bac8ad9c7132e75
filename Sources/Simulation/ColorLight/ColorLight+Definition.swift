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
            .fade,
            .number("coldest", \.coldest, 50...1_000, "The coldest white that a colour is matched with, in mired."),
            .number("warmest", \.warmest, 50...1_000, "The warmest white that a colour is matched with, in mired."),
        ]
    ) { configuration, _ in ColorLight(configuration) }
}
