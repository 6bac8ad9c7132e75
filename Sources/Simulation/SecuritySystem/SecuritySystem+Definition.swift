internal import AccessoryModel

extension SecuritySystem {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "securitySystem",
        "A security system with time to leave and to disarm it, which hears the accessory's motion and contact sensors.",
        services: [.securitySystem],
        needs: [.securitySystemCurrentState, .securitySystemTargetState],
        standard: Configuration(),
        parameters: [
            .duration("exitDelay", \.exitDelay, "The time from a written target until it is armed."),
            .duration("entryDelay", \.entryDelay, "The time from what a sensor finds until the alarm."),
            .duration("alarm", \.alarm, "How long an alarm lasts; without it, until it is disarmed."),
        ]
    ) { configuration, _ in SecuritySystem(configuration) }
}
