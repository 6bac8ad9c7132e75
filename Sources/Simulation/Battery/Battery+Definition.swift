internal import AccessoryModel

extension Battery {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "battery",
        "A battery that runs down, and charges when it is told.",
        services: [.battery],
        needs: [.batteryLevel],
        standard: Configuration(),
        parameters: [
            .duration(
                "life",
                \.life,
                within: .seconds(60) ... .seconds(3_650 * 86_400),
                "What it takes to run down from 100 % to nothing."
            ),
            .duration(
                "charge",
                \.charge,
                within: .seconds(60) ... .seconds(86_400),
                "What it takes to charge from nothing to 100 %."
            ),
            .number("low", \.low, 0...100, "The level in percent up to which it is low."),
        ]
    ) { configuration, _ in Battery(configuration) }
}
