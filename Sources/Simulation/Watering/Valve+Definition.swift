internal import AccessoryModel

extension Valve {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "valve",
        "A valve that opens, counts its time down and closes.",
        services: [.valve],
        needs: [.active, .inUse],
        standard: Configuration(),
        parameters: [
            .duration("opens", \.opens, "What it takes to open, and to close again."),
            .duration("lasts", \.lasts, "How long it stays open without a Set Duration; without it, until turned off."),
            .duration(
                "reports",
                \.reports,
                within: .seconds(1) ... .seconds(86_400),
                "How often Remaining Duration is told while it counts down."
            ),
        ]
    ) { configuration, _ in Valve(configuration) }
}
