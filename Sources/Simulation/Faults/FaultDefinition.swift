package import AccessoryModel

/// What is known of a fault: its name, what it is for, and what may be set.
package struct FaultDefinition: Sendable {
    /// The name in files and at the prompt, such as `latency`.
    package let name: String
    /// What it does, in a sentence for people.
    package let summary: String
    /// What real devices do so, in a sentence for people; `nil` for what goes wrong with any.
    package let realWorldExample: String?
    /// What it can be put on.
    package let scopes: [NameLevel]
    /// Which limits it can have.
    package let occurrence: FaultOccurrence
    /// When it is over unless somebody says otherwise.
    package let defaultLimit: FaultLimit
    /// What may be set.
    package let parameters: [SimulationParameter]

    private let makeEffect: @Sendable ([String: SimulationArgument]) -> FaultEffect
    private let conflict: @Sendable ([String: SimulationArgument]) -> SimulationError?

    init<Configuration: Sendable>(
        _ name: String,
        _ summary: String,
        realWorldExample: String? = nil,
        scopes: [NameLevel] = [.server],
        limit: FaultLimit = FaultLimit(),
        defaults: Configuration,
        parameters: [ModelParameter<Configuration>],
        conflict: @escaping @Sendable (Configuration) -> SimulationError? = { _ in nil },
        effect: @escaping @Sendable (Configuration) -> FaultEffect
    ) {
        self.name = name
        self.summary = summary
        self.realWorldExample = realWorldExample
        self.scopes = scopes
        occurrence = effect(defaults).occurrence
        defaultLimit = limit
        self.parameters = parameters.map { $0.parameter(defaults: defaults) }
        makeEffect = { effect(parameters.configuration(defaults, $0)) }
        self.conflict = { conflict(parameters.configuration(defaults, $0)) }
    }

    /// A fault without anything to set.
    init(
        _ name: String,
        _ summary: String,
        realWorldExample: String? = nil,
        scopes: [NameLevel] = [.server],
        limit: FaultLimit = FaultLimit(),
        effect: FaultEffect
    ) {
        self.init(
            name,
            summary,
            realWorldExample: realWorldExample,
            scopes: scopes,
            limit: limit,
            defaults: effect,
            parameters: []
        ) { $0 }
    }

    /// What it does with these arguments, by name; what has none is as it is by default.
    ///
    /// What is no parameter of it, or of another kind, is ignored.
    package func effect(arguments: [String: SimulationArgument] = [:]) -> FaultEffect {
        makeEffect(arguments)
    }

    /// Refuses a limit that it cannot have, and arguments that contradict each other.
    ///
    /// - Throws: ``SimulationError``.
    func check(_ request: FaultRequest) throws(SimulationError) {
        if request.count != nil, !occurrence.allowsCount {
            throw SimulationError(.refused, "\(name) does not act several times.", "Leave the count away.")
        }
        if request.duration != nil, !occurrence.allowsDuration {
            throw SimulationError(.refused, "\(name) is over at once.", "Leave the duration away.")
        }
        if let error = conflict(request.arguments) { throw error }
    }
}
