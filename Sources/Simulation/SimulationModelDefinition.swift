package import AccessoryModel

/// What is known of a model: its name, what it is for, and what may be set.
package struct SimulationModelDefinition: Sendable {
    /// The name in files, such as `garageDoor`.
    package let name: String
    /// What it is, in a sentence for people.
    package let summary: String
    /// The types of the services that it is for: it moves those for which it is the first of the catalogue, unless a file
    /// says otherwise.
    package let services: [ServiceType]
    /// The characteristics without which it has nothing to move.
    package let needs: [CharacteristicType]
    /// What may be set.
    package let parameters: [SimulationParameter]

    private let make: @Sendable ([String: SimulationArgument], UInt64) -> any Behavior

    /// - Parameter behavior: Makes a device from how it is built and a seed for its chance.
    init<Configuration: Sendable>(
        _ name: String,
        _ summary: String,
        services: [ServiceType],
        needs: [CharacteristicType],
        standard: Configuration,
        parameters: [ModelParameter<Configuration>],
        behavior: @escaping @Sendable (Configuration, _ seed: UInt64) -> any Behavior
    ) {
        self.name = name
        self.summary = summary
        self.services = services
        self.needs = needs
        self.parameters = parameters.map { parameter in
            SimulationParameter(
                name: parameter.name,
                kind: parameter.kind,
                standard: parameter.argument(standard),
                summary: parameter.summary
            )
        }
        make = { arguments, seed in
            var configuration = standard
            for parameter in parameters {
                if let argument = arguments[parameter.name] {
                    parameter.apply(argument, &configuration)
                }
            }
            return behavior(configuration, seed)
        }
    }

    /// The model with these arguments, by name; what has none is as it is by default.
    ///
    /// What is no parameter of the model, or says what holds anyway, is left out.
    package func model(_ arguments: [String: SimulationArgument] = [:]) -> SimulationModel {
        var told: [String: SimulationArgument] = [:]
        for parameter in parameters {
            if let argument = arguments[parameter.name], argument != parameter.standard {
                told[parameter.name] = argument
            }
        }
        return SimulationModel(name: name, arguments: told)
    }

    /// A new device.
    ///
    /// An argument of another kind than its parameter's is ignored.
    func behavior(_ arguments: [String: SimulationArgument], seed: UInt64) -> any Behavior {
        make(arguments, seed)
    }
}
