package import AccessoryModel

/// The description of a fault: its name, its purpose and its parameters.
package struct FaultDefinition: Sendable {
    /// The name of the fault in files and at the prompt, such as `latency`.
    package let name: String
    /// The effect of the fault, in one sentence for users.
    package let summary: String
    /// The real devices that behave this way, in one sentence for users; `nil` if any device can have the fault.
    package let realWorldExample: String?
    /// The kinds of objects that the fault can affect.
    package let scopes: [NameLevel]
    /// The way the fault occurs, which determines its possible limits.
    package let occurrence: FaultOccurrence
    /// The limit that applies unless a request has another one.
    package let defaultLimit: FaultLimit
    /// The parameters of the fault.
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

    /// Creates a fault without parameters.
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

    /// Creates the fault of a driver.
    init(_ feature: DriverFeature) {
        let name = feature.name
        self.init(
            name,
            feature.summary,
            scopes: [.accessory],
            defaults: feature.number?.defaultValue ?? 0,
            parameters: feature.number.map { [.number($0.name, \.self, $0.range, $0.summary)] } ?? []
        ) { .driver(name, $0) }
    }

    /// Returns the effect with these arguments, by parameter name; the other parameters have their defaults.
    ///
    /// Arguments for unknown parameters, and arguments of the wrong kind, are ignored.
    package func effect(arguments: [String: SimulationArgument] = [:]) -> FaultEffect {
        makeEffect(arguments)
    }

    /// Checks the limit and the arguments of a request.
    ///
    /// - Throws: ``SimulationError`` for an unsupported limit, or for arguments that contradict each other.
    func check(_ request: FaultRequest<some SimulationReferences>) throws(SimulationError) {
        if request.count != nil, !occurrence.allowsCount {
            throw SimulationError(.refused, "\(name) cannot have a count.", "Omit the count.")
        }
        if request.duration != nil, !occurrence.allowsDuration {
            throw SimulationError(.refused, "\(name) cannot have a duration.", "Omit the duration.")
        }
        if let error = conflict(request.arguments) { throw error }
    }
}
