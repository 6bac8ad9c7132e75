/// What is known of a fault: its name, what it is for, and what may be set.
package struct FaultDefinition: Sendable {
    /// The name in files and at the prompt, such as `latency`.
    package let name: String
    /// What it does, in a sentence for people.
    package let summary: String
    /// What real devices do so, in a sentence for people; `nil` for what goes wrong with any.
    package let resemblance: String?
    /// What it can be put on.
    package let scopes: [FaultScope.Kind]
    /// Which limits it can have.
    package let occurrence: FaultOccurrence
    /// When it is over unless somebody says otherwise.
    package let standardLimit: FaultLimit
    /// What may be set.
    package let parameters: [SimulationParameter]

    private let make: @Sendable ([String: SimulationArgument]) -> FaultEffect

    init<Configuration: Sendable>(
        _ name: String,
        _ summary: String,
        resemblance: String? = nil,
        scopes: [FaultScope.Kind],
        occurrence: FaultOccurrence = .repeated,
        limit: FaultLimit = FaultLimit(),
        standard: Configuration,
        parameters: [ModelParameter<Configuration>],
        effect: @escaping @Sendable (Configuration) -> FaultEffect
    ) {
        self.name = name
        self.summary = summary
        self.resemblance = resemblance
        self.scopes = scopes
        self.occurrence = occurrence
        standardLimit = limit
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
            return effect(configuration)
        }
    }

    /// A fault without anything to set.
    init(
        _ name: String,
        _ summary: String,
        resemblance: String? = nil,
        scopes: [FaultScope.Kind],
        occurrence: FaultOccurrence = .repeated,
        limit: FaultLimit = FaultLimit(),
        effect: FaultEffect
    ) {
        self.init(
            name,
            summary,
            resemblance: resemblance,
            scopes: scopes,
            occurrence: occurrence,
            limit: limit,
            standard: effect,
            parameters: []
        ) { $0 }
    }

    /// What it does with these arguments, by name; what has none is as it is by default.
    ///
    /// What is no parameter of it, or of another kind, is ignored.
    package func effect(arguments: [String: SimulationArgument] = [:]) -> FaultEffect {
        make(arguments)
    }
}
