internal import AccessoryModel

extension Button {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "button",
        "A button that is pressed once, twice or long.",
        services: [.statelessProgrammableSwitch],
        needs: [.programmableSwitchEvent],
        standard: (),
        parameters: []
    ) { _, _ in Button() }
}
