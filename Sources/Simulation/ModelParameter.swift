/// A parameter with the place in a model's configuration that it stands for.
struct ModelParameter<Configuration: Sendable>: Sendable {
    let name: String
    let kind: SimulationParameter.Kind
    let summary: String
    /// What a configuration has there; `nil` for nothing.
    let argument: @Sendable (Configuration) -> SimulationArgument?
    /// Puts an argument of the right kind there; ignores one of another kind.
    let apply: @Sendable (SimulationArgument, inout Configuration) -> Void

    private static func parameter<Value>(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Value> & Sendable,
        _ kind: SimulationParameter.Kind,
        _ summary: String,
        argument: @escaping @Sendable (Value) -> SimulationArgument?,
        value: @escaping @Sendable (SimulationArgument) -> Value?
    ) -> ModelParameter {
        ModelParameter(name: name, kind: kind, summary: summary) { configuration in
            argument(configuration[keyPath: place])
        } apply: { given, configuration in
            if let value = value(given) {
                configuration[keyPath: place] = value
            }
        }
    }
}

extension ModelParameter {
    /// A time, of up to a day unless another range is told.
    static func duration(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Duration> & Sendable,
        within range: ClosedRange<Duration> = .upToADay,
        _ summary: String
    ) -> ModelParameter {
        parameter(name, place, .duration(range), summary, argument: SimulationArgument.duration) { $0.duration }
    }

    /// A time of up to a day, or none.
    static func duration(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Duration?> & Sendable,
        _ summary: String
    ) -> ModelParameter {
        parameter(name, place, .duration(.upToADay), summary) {
            $0.map(SimulationArgument.duration)
        } value: { given in
            given.duration.map(Optional.some)
        }
    }

    /// A number within a range.
    static func number(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Double> & Sendable,
        _ range: ClosedRange<Double>,
        _ summary: String
    ) -> ModelParameter {
        parameter(name, place, .number(range), summary, argument: SimulationArgument.number) { $0.number }
    }

    /// A whole number within a range.
    static func integer(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Int> & Sendable,
        _ range: ClosedRange<Int>,
        _ summary: String
    ) -> ModelParameter {
        parameter(name, place, .integer(range), summary) {
            .number(Double($0))
        } value: { given in
            given.number.flatMap { Int(exactly: $0) }
        }
    }

    /// Yes or no.
    static func flag(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Bool> & Sendable,
        _ summary: String
    ) -> ModelParameter {
        parameter(name, place, .flag, summary, argument: SimulationArgument.flag) { $0.flag }
    }

    /// One of several words.
    static func choice<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Word> & Sendable,
        _ summary: String
    ) -> ModelParameter {
        parameter(name, place, .choice(Word.allCases.map(\.rawValue)), summary) {
            .choice($0.rawValue)
        } value: { given in
            given.choice.flatMap { Word(rawValue: $0) }
        }
    }
}

extension SimulationArgument {
    fileprivate var duration: Duration? {
        if case .duration(let duration) = self { duration } else { nil }
    }

    fileprivate var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    fileprivate var flag: Bool? {
        if case .flag(let flag) = self { flag } else { nil }
    }

    fileprivate var choice: String? {
        if case .choice(let word) = self { word } else { nil }
    }
}

extension ClosedRange<Duration> {
    /// From nothing to 24 hours.
    static let upToADay: ClosedRange<Duration> = .zero ... .seconds(86_400)
}
