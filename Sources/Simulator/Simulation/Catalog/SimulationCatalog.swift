package import AccessoryModel

/// The models that a file may name.
///
/// Readers, writers, the file schema and the generated tables are derived from it. To add a model, add one entry here.
package enum SimulationCatalog {
    /// The entries, in the order in which they are documented.
    package static let models: [SimulationModelDefinition] =
        [
            GarageDoor.definition,
            DimmableLight.definition,
            ColorLight.definition,
            Lock.definition,
            PositionActuator.definition,
            Thermostat.definition,
            HeaterCooler.definition,
            Humidifier.definition,
            BlowerDevice.fan,
            BlowerDevice.airPurifier,
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

    /// Returns the entry with this name in files; `nil` if there is none.
    package static func model(named name: String) -> SimulationModelDefinition? {
        models.first { $0.name == name }
    }

    /// Returns the entry that drives services of a type unless a file says otherwise; `nil` if there is none.
    package static func defaultModel(for type: ServiceType) -> SimulationModelDefinition? {
        models.first { $0.services.contains(type) }
    }
}

/// The description of a model: its name, its purpose and its parameters.
package struct SimulationModelDefinition: Sendable {
    /// The name of the model in files, such as `garageDoor`.
    package let name: String
    /// The purpose of the model, in one sentence for users.
    package let summary: String
    /// The types of the services that the model is for.
    ///
    /// The model drives such a service if it is the first entry of the catalog for the type, unless a file says
    /// otherwise.
    package let services: [ServiceType]
    /// The characteristics that a service needs for the model to drive it.
    package let requiredTypes: [CharacteristicType]
    /// The parameters that a file may set.
    package let parameters: [SimulationParameter]

    private let makeBehavior: @Sendable ([String: SimulationArgument], UInt64) -> any Behavior

    /// - Parameters:
    ///   - requiredTypes: `nil` if the device declares them itself.
    ///   - behavior: Creates a device from its configuration and a random seed.
    init<Configuration: Sendable>(
        _ name: String,
        _ summary: String,
        services: [ServiceType],
        requiredTypes: [CharacteristicType]? = nil,
        defaults: Configuration,
        parameters: [ModelParameter<Configuration>] = [],
        behavior: @escaping @Sendable (Configuration, _ seed: UInt64) -> any EventDrivenBehavior
    ) {
        self.name = name
        self.summary = summary
        self.services = services
        self.requiredTypes = requiredTypes ?? behavior(defaults, 0).requiredTypes
        self.parameters = parameters.map { $0.parameter(defaults: defaults) }
        makeBehavior = { arguments, seed in
            behavior(parameters.configuration(defaults, arguments), seed)
        }
    }

    /// Returns the model with these arguments, by parameter name; the other parameters have their defaults.
    ///
    /// Arguments for unknown parameters, and arguments that equal the default, are left out.
    package func model(_ arguments: [String: SimulationArgument] = [:]) -> SimulationModel {
        var reported: [String: SimulationArgument] = [:]
        for parameter in parameters {
            if let argument = arguments[parameter.name], argument != parameter.defaultValue {
                reported[parameter.name] = argument
            }
        }
        return SimulationModel(name: name, arguments: reported)
    }

    /// Returns a new device.
    ///
    /// An argument of a kind other than its parameter's is ignored.
    func behavior(_ arguments: [String: SimulationArgument], seed: UInt64) -> any Behavior {
        makeBehavior(arguments, seed)
    }
}

/// A device that can be simulated, with its arguments.
package struct SimulationModel: Sendable, Hashable {
    /// The name of the model's entry in the catalog, such as `garageDoor`.
    package let name: String
    /// The arguments that differ from the defaults, by parameter name.
    package let arguments: [String: SimulationArgument]

    /// Returns the model that belongs to a service type, with default parameters; `nil` if there is none.
    package static func defaultModel(for type: ServiceType) -> SimulationModel? {
        SimulationCatalog.defaultModel(for: type)?.model()
    }

    /// Returns a new device of this model.
    ///
    /// - Parameter seed: The seed of its random numbers. The same seed gives the same device.
    package func behavior(seed: UInt64 = 0) -> (any Behavior)? {
        SimulationCatalog.model(named: name)?.behavior(arguments, seed: seed)
    }
}

/// The model that a file chooses for a service.
package enum SimulationChoice: Sendable, Hashable {
    /// The model that belongs to the service's type, if there is one.
    case automatic
    /// No model: values only change when they are written.
    case none
    /// This model.
    case model(SimulationModel)

    /// Returns the model for a service of this type; `nil` if no model changes its values.
    package func model(for type: ServiceType) -> SimulationModel? {
        switch self {
        case .automatic: SimulationModel.defaultModel(for: type)
        case .none: nil
        case .model(let model): model
        }
    }
}
