package import AccessoryModel

/// What is known of a fault: its name, what it is for, and what may be set.
package struct FaultDefinition: Sendable {
    /// The name in files and at the prompt, such as `latency`.
    package let name: String
    /// What it does, in a sentence for people.
    package let summary: String
    /// What real devices do so, in a sentence for people; `nil` for what goes wrong with any.
    package let resemblance: String?
    /// What it can be put on.
    package let scopes: [NameLevel]
    /// Which limits it can have.
    package let occurrence: FaultOccurrence
    /// When it is over unless somebody says otherwise.
    package let standardLimit: FaultLimit
    /// What may be set.
    package let parameters: [SimulationParameter]

    private let make: @Sendable ([String: SimulationArgument]) -> FaultEffect
    private let conflict: @Sendable ([String: SimulationArgument]) -> SimulationError?

    init<Configuration: Sendable>(
        _ name: String,
        _ summary: String,
        resemblance: String? = nil,
        scopes: [NameLevel] = [.server],
        limit: FaultLimit = FaultLimit(),
        standard: Configuration,
        parameters: [ModelParameter<Configuration>],
        conflict: @escaping @Sendable (Configuration) -> SimulationError? = { _ in nil },
        effect: @escaping @Sendable (Configuration) -> FaultEffect
    ) {
        self.name = name
        self.summary = summary
        self.resemblance = resemblance
        self.scopes = scopes
        occurrence = effect(standard).occurrence
        standardLimit = limit
        self.parameters = parameters.map { $0.described(with: standard) }
        make = { effect(parameters.configuration(standard, $0)) }
        self.conflict = { conflict(parameters.configuration(standard, $0)) }
    }

    /// A fault without anything to set.
    init(
        _ name: String,
        _ summary: String,
        resemblance: String? = nil,
        scopes: [NameLevel] = [.server],
        limit: FaultLimit = FaultLimit(),
        effect: FaultEffect
    ) {
        self.init(
            name,
            summary,
            resemblance: resemblance,
            scopes: scopes,
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

    /// Refuses a limit that it cannot have, and arguments that contradict each other.
    ///
    /// - Throws: ``SimulationError``.
    func check(_ wish: FaultWish) throws(SimulationError) {
        if wish.count != nil, !occurrence.takesCount {
            throw SimulationError(.refused, "\(name) does not act several times.", "Leave the count away.")
        }
        if wish.duration != nil, !occurrence.takesDuration {
            throw SimulationError(.refused, "\(name) is over at once.", "Leave the duration away.")
        }
        if let error = conflict(wish.arguments) { throw error }
    }
}
