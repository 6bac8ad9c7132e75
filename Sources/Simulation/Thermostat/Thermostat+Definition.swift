internal import AccessoryModel

extension Thermostat {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "thermostat",
        "A thermostat, with a room that follows its heating, its cooling and the outside.",
        services: [.thermostat],
        needs: [.targetHeatingCoolingState, .currentHeatingCoolingState, .targetTemperature, .currentTemperature],
        standard: ClimateConfiguration(),
        parameters: ClimateConfiguration.parameters
    ) { configuration, _ in Thermostat(configuration) }
}
