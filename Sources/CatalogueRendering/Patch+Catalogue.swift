extension Patch {
    /// Every patch that the committed catalogue has.
    package static let catalogue: [Patch] = [
        Patch(
            name: "Is Configured is writable",
            why: "Controllers configure the inputs and valves of an accessory; the first source lists pr and ev only.",
            change: .addPermission("pw", to: "IsConfigured")
        ),
        Patch(
            name: "Active Identifier is writable",
            why: "Controllers choose a television's input with it; the first source lists pr and ev only.",
            change: .addPermission("pw", to: "ActiveIdentifier")
        ),
        Patch(
            name: "Current Temperature reaches below freezing",
            why: "Sensors stand outdoors; Apple Home accepts the wider range when it is announced.",
            change: .setMinimum(.integer(-270), of: "CurrentTemperature")
        ),
        Patch(
            name: "Pairing Features is a bit field",
            why: "The input has both shifted masks of the first source, 1 << 0 and 1 << 1, as the one value 1.",
            change: .replaceValuesByBits(
                ["SupportsAppleAuthenticationCoprocessor": .integer(1), "SupportsSoftwareAuthentication": .integer(2)],
                of: "PairingFeatures"
            )
        ),
    ]
}
