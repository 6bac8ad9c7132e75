/// A parameter with the place in a model's configuration that it stands for.
struct ModelParameter<Configuration: Sendable>: Sendable {
    let name: String
    let kind: SimulationParameter.Kind
    let summary: String
    /// What a configuration has there; `nil` for nothing.
    let argument: @Sendable (Configuration) -> SimulationArgument?
    /// Puts an argument of the right kind there; ignores one of another kind.
    let apply: @Sendable (SimulationArgument, inout Configuration) -> Void

    /// A time of up to a day.
    static func duration(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Duration> & Sendable,
        _ summary: String
    ) -> ModelParameter {
        ModelParameter(name: name, kind: .duration(.upToADay), summary: summary) { configuration in
            .duration(configuration[keyPath: place])
        } apply: { argument, configuration in
            if case .duration(let duration) = argument {
                configuration[keyPath: place] = duration
            }
        }
    }

    /// A time of up to a day, or none.
    static func duration(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Duration?> & Sendable,
        _ summary: String
    ) -> ModelParameter {
        ModelParameter(name: name, kind: .duration(.upToADay), summary: summary) { configuration in
            configuration[keyPath: place].map(SimulationArgument.duration)
        } apply: { argument, configuration in
            if case .duration(let duration) = argument {
                configuration[keyPath: place] = duration
            }
        }
    }
}

extension ClosedRange<Duration> {
    /// From nothing to 24 hours.
    static let upToADay: ClosedRange<Duration> = .zero ... .seconds(86_400)
}
