internal import AccessoryModel

extension HeaterCooler {
    /// What files and people are told of it.
    static let definition = SimulationModelDefinition(
        "heaterCooler",
        "A heater or an air conditioner, with a room that follows it and the outside.",
        services: [.heaterCooler],
        needs: [.active, .currentTemperature, .currentHeaterCoolerState, .targetHeaterCoolerState],
        standard: ClimateConfiguration(),
        parameters: ClimateConfiguration.parameters
    ) { configuration, _ in HeaterCooler(configuration) }
}
