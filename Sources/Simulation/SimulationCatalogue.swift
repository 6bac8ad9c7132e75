package import AccessoryModel

/// Every model that a file may name.
///
/// Readers, writers, the schema of files and the tables for people follow from it: a further model is one entry here.
package enum SimulationCatalogue {
    /// The entries in the order in which people are told of them.
    package static let models: [SimulationModelDefinition] =
        [
            GarageDoor.definition,
            DimmableLight.definition,
            ColorLight.definition,
            Lock.definition,
            PositionDrive.definition,
            Thermostat.definition,
            HeaterCooler.definition,
            Humidifier.definition,
            Fan.definition,
            AirPurifier.definition,
            FilterLife.definition,
            Outlet.definition,
        ]
        + BinarySensor.definitions + LevelSensor.definitions
        + [
            Battery.definition,
            SecuritySystem.definition,
            Valve.definition,
            WaterSystem.irrigation,
            WaterSystem.faucet,
            Button.definition,
            Doorbell.definition,
            Television.definition,
            InputSource.definition,
            TelevisionSpeaker.definition,
            SmartSpeaker.definition,
        ]

    /// The entry with this name in files; `nil` when there is none.
    package static func model(named name: String) -> SimulationModelDefinition? {
        models.first { $0.name == name }
    }

    /// The entry that moves services of a type unless a file says otherwise; `nil` when none does.
    package static func standard(for type: ServiceType) -> SimulationModelDefinition? {
        models.first { $0.services.contains(type) }
    }
}
