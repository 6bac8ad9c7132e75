package import AccessoryModel

/// Every model that a file may name.
///
/// Readers, writers, the schema of files and the tables for people follow from it: a further model is one entry here.
package enum SimulationCatalog {
    /// The entries in the order in which people are told of them.
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
    package static func defaultModel(for type: ServiceType) -> SimulationModelDefinition? {
        models.first { $0.services.contains(type) }
    }
}

/// What is known of a model: its name, what it is for, and what may be set.
package struct SimulationModelDefinition: Sendable {
    /// The name in files, such as `garageDoor`.
    package let name: String
    /// What it is, in a sentence for people.
    package let summary: String
    /// The types of the services that it is for: it moves those for which it is the first of the catalog, unless a file
    /// says otherwise.
    package let services: [ServiceType]
    /// The characteristics without which it has nothing to move.
    package let requiredTypes: [CharacteristicType]
    /// What may be set.
    package let parameters: [SimulationParameter]

    private let makeBehavior: @Sendable ([String: SimulationArgument], UInt64) -> any Behavior

    /// - Parameter behavior: Makes a device from how it is built and a seed for its chance.
    init<Configuration: Sendable>(
        _ name: String,
        _ summary: String,
        services: [ServiceType],
        requiredTypes: [CharacteristicType],
        defaults: Configuration,
        parameters: [ModelParameter<Configuration>] = [],
        behavior: @escaping @Sendable (Configuration, _ seed: UInt64) -> any Behavior
    ) {
        self.name = name
        self.summary = summary
        self.services = services
        self.requiredTypes = requiredTypes
        self.parameters = parameters.map { $0.parameter(defaults: defaults) }
        makeBehavior = { arguments, seed in
            behavior(parameters.configuration(defaults, arguments), seed)
        }
    }

    /// The model with these arguments, by name; what has none is as it is by default.
    ///
    /// What is no parameter of the model, or says what holds anyway, is left out.
    package func model(_ arguments: [String: SimulationArgument] = [:]) -> SimulationModel {
        var reported: [String: SimulationArgument] = [:]
        for parameter in parameters {
            if let argument = arguments[parameter.name], argument != parameter.defaultValue {
                reported[parameter.name] = argument
            }
        }
        return SimulationModel(name: name, arguments: reported)
    }

    /// A new device.
    ///
    /// An argument of another kind than its parameter's is ignored.
    func behavior(_ arguments: [String: SimulationArgument], seed: UInt64) -> any Behavior {
        makeBehavior(arguments, seed)
    }
}

/// A device that can be simulated, with how it is built.
package struct SimulationModel: Sendable, Hashable {
    /// The name of its entry in the catalog, such as `garageDoor`.
    package let name: String
    /// What of it is not as it is by default, by the parameters' names.
    package let arguments: [String: SimulationArgument]

    /// The model that belongs to a service type, as it is built by default; `nil` when there is none.
    package static func defaultModel(for type: ServiceType) -> SimulationModel? {
        SimulationCatalog.defaultModel(for: type)?.model()
    }

    /// A new device of this model.
    ///
    /// - Parameter seed: What its chance is drawn from: the same seed gives the same device.
    package func behavior(seed: UInt64 = 0) -> (any Behavior)? {
        SimulationCatalog.model(named: name)?.behavior(arguments, seed: seed)
    }
}

/// What a file wants a service's values to be moved by.
package enum SimulationChoice: Sendable, Hashable {
    /// The model that belongs to the service's type, if there is one.
    case automatic
    /// Nothing: what is written stays as it is written.
    case none
    /// This one.
    case model(SimulationModel)

    /// The model for a service of this type, `nil` when nothing moves its values.
    package func model(for type: ServiceType) -> SimulationModel? {
        switch self {
        case .automatic: SimulationModel.defaultModel(for: type)
        case .none: nil
        case .model(let model): model
        }
    }
}
