package import AccessoryModel

/// What is known of a model: its name, what it is for, and what may be set.
package struct SimulationModelDefinition: Sendable {
    /// The name in files, such as `garageDoor`.
    package let name: String
    /// What it is, in a sentence for people.
    package let summary: String
    /// The types of the services that it moves unless a file says otherwise.
    package let services: [ServiceType]
    /// The characteristics without which it has nothing to move.
    package let needs: [CharacteristicType]
    /// What may be set.
    package let parameters: [SimulationParameter]

    private let make: @Sendable ([String: SimulationArgument]) -> SimulationModel
    private let read: @Sendable (SimulationModel) -> [String: SimulationArgument]?

    init<Configuration: Sendable>(
        _ name: String,
        _ summary: String,
        services: [ServiceType],
        needs: [CharacteristicType],
        standard: Configuration,
        parameters: [ModelParameter<Configuration>],
        model: @escaping @Sendable (Configuration) -> SimulationModel,
        configuration: @escaping @Sendable (SimulationModel) -> Configuration?
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
        make = { arguments in
            var configuration = standard
            for parameter in parameters {
                if let argument = arguments[parameter.name] {
                    parameter.apply(argument, &configuration)
                }
            }
            return model(configuration)
        }
        read = { model in
            configuration(model)
                .map { configuration in
                    var arguments: [String: SimulationArgument] = [:]
                    for parameter in parameters {
                        let argument = parameter.argument(configuration)
                        if argument != parameter.argument(standard) {
                            arguments[parameter.name] = argument
                        }
                    }
                    return arguments
                }
        }
    }

    /// The model with these arguments, by name; what has none is as it is by default.
    ///
    /// An argument of another kind than its parameter's is ignored.
    package func model(_ arguments: [String: SimulationArgument] = [:]) -> SimulationModel {
        make(arguments)
    }

    /// What of a model is not as it is by default; `nil` when it is another model.
    package func arguments(of model: SimulationModel) -> [String: SimulationArgument]? {
        read(model)
    }
}
