internal import AccessoryModel

extension Humidifier {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "humidifier",
        "A humidifier or a dehumidifier, with a room that follows it, and its tank.",
        services: [.humidifierDehumidifier],
        needs: [
            .active, .currentRelativeHumidity, .currentHumidifierDehumidifierState, .targetHumidifierDehumidifierState,
        ],
        standard: Configuration(),
        parameters: [
            .number("outside", \.outside, 0...100, "The relative humidity that the room settles at by itself, in %."),
            .duration(
                "exchange",
                \.exchange,
                within: .seconds(600) ... .seconds(1_000 * 3_600),
                "How long the room takes to lose 63 % of what it differs from that."
            ),
            .number("humidifying", \.humidifying, 0...100, "What humidifying adds in an hour, in %."),
            .number("dehumidifying", \.dehumidifying, 0...100, "What dehumidifying takes away in an hour, in %."),
            .number(
                "hysteresis",
                \.hysteresis,
                1...20,
                "How far the room leaves what is wanted before the device begins again, in %."
            ),
            .duration(
                "tank",
                \.tank,
                within: .seconds(60) ... .seconds(1_000 * 3_600),
                "How long a full tank lasts while the device humidifies."
            ),
        ]
    ) { configuration, _ in Humidifier(configuration) }
}
