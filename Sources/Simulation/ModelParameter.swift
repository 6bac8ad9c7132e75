/// A parameter with the place in a model's configuration that it stands for.
struct ModelParameter<Configuration: Sendable>: Sendable {
    let name: String
    let kind: SimulationParameter.Kind
    let summary: String
    /// What a configuration has there; `nil` for nothing.
    let argument: @Sendable (Configuration) -> SimulationArgument?
    /// Puts an argument of the right kind there; ignores one of another kind.
    let apply: @Sendable (SimulationArgument, inout Configuration) -> Void

    /// A time, of up to a day unless another range is told.
    static func duration(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Duration> & Sendable,
        within range: ClosedRange<Duration> = .upToADay,
        _ summary: String
    ) -> ModelParameter {
        ModelParameter(name: name, kind: .duration(range), summary: summary) { configuration in
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

    /// A number within a range.
    static func number(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Double> & Sendable,
        _ range: ClosedRange<Double>,
        _ summary: String
    ) -> ModelParameter {
        ModelParameter(name: name, kind: .number(range), summary: summary) { configuration in
            .number(configuration[keyPath: place])
        } apply: { argument, configuration in
            if case .number(let number) = argument {
                configuration[keyPath: place] = number
            }
        }
    }

    /// A whole number within a range.
    static func integer(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Int> & Sendable,
        _ range: ClosedRange<Int>,
        _ summary: String
    ) -> ModelParameter {
        ModelParameter(name: name, kind: .integer(range), summary: summary) { configuration in
            .number(Double(configuration[keyPath: place]))
        } apply: { argument, configuration in
            if case .number(let number) = argument, let integer = Int(exactly: number) {
                configuration[keyPath: place] = integer
            }
        }
    }

    /// Yes or no.
    static func flag(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Bool> & Sendable,
        _ summary: String
    ) -> ModelParameter {
        ModelParameter(name: name, kind: .flag, summary: summary) { configuration in
            .flag(configuration[keyPath: place])
        } apply: { argument, configuration in
            if case .flag(let flag) = argument {
                configuration[keyPath: place] = flag
            }
        }
    }

    /// One of several words.
    static func choice<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Word> & Sendable,
        _ summary: String
    ) -> ModelParameter {
        ModelParameter(name: name, kind: .choice(Word.allCases.map(\.rawValue)), summary: summary) { configuration in
            .choice(configuration[keyPath: place].rawValue)
        } apply: { argument, configuration in
            if case .choice(let word) = argument, let word = Word(rawValue: word) {
                configuration[keyPath: place] = word
            }
        }
    }
}

extension ClosedRange<Duration> {
    /// From nothing to 24 hours.
    static let upToADay: ClosedRange<Duration> = .zero ... .seconds(86_400)
}
