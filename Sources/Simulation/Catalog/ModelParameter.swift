package import AccessoryModel
package import Documents
internal import HAPCore

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

    /// What files and people are told of it, with its value in the standard configuration.
    func parameter(defaults standard: Configuration) -> SimulationParameter {
        SimulationParameter(name: name, kind: kind, defaultValue: argument(standard), summary: summary)
    }
}

extension Array {
    /// The standard configuration with the arguments that are given.
    func configuration<Configuration>(
        _ standard: Configuration,
        _ arguments: [String: SimulationArgument]
    ) -> Configuration where Element == ModelParameter<Configuration> {
        var configuration = standard
        for parameter in self {
            if let argument = arguments[parameter.name] {
                parameter.apply(argument, &configuration)
            }
        }
        return configuration
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

extension Format<SimulationArgument> {
    /// How an argument of a parameter is written.
    package static func argument(_ parameter: SimulationParameter) -> Format {
        var format = argument(parameter.kind)
        guard let standard = parameter.defaultValue else { return format }
        if case .characteristic = standard { return format }
        let written = format.write(standard)
        format.schema = format.schema.map { .inlineMap($0.members + [.init("default", written)]) }
        return format
    }

    private static func argument(_ kind: SimulationParameter.Kind) -> Format {
        switch kind {
        case .duration(let range):
            let format = Format<Duration>.duration(in: range)
            return (range.upperBound == .seconds(86_400) ? format.defined(as: "duration") : format)
                .map({ (duration: Duration) in .duration(duration) }, { $0.duration ?? range.lowerBound })
        case .durationOrCharacteristic(let range):
            return Format<Duration>
                .duration(in: range, orElse: ", or the name of a characteristic of this service")
                .schema(.init("type", "string"))
                .map({ (duration: Duration) in .duration(duration) }, { $0.duration ?? range.lowerBound })
        case .number(let range):
            let remedy = "write a number from \(range.lowerBound) to \(range.upperBound)"
            return .number(in: range, "number", remedy, contains: range.contains)
        case .integer(let range):
            let remedy = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
            let limits = Double(range.lowerBound)...Double(range.upperBound)
            return .number(in: limits, "integer", remedy) { Int(exactly: $0).map(range.contains) ?? false }
        case .flag:
            return Format<Bool>.boolean.map({ (flag: Bool) in .flag(flag) }, { $0.flag ?? false })
        case .choice(let words):
            return Format<String>.word(words.map { ($0, $0) })
                .map({ (word: String) in .choice(word) }, { $0.choice ?? "" })
        }
    }

    private static func number(
        in range: ClosedRange<Double>,
        _ type: String,
        _ remedy: String,
        contains: @escaping @Sendable (Double) -> Bool
    ) -> Format {
        Format(
            schema: Schema(
                .init("type", .text(type)),
                .init("minimum", .number(JSONNumber(range.lowerBound) ?? 0)),
                .init("maximum", .number(JSONNumber(range.upperBound) ?? 0))
            ),
            read: { field, reader in
                if case .number(let number) = field.node.scalar?.meaning, contains(number.double) {
                    return .number(number.double)
                }
                reader.report(field, "\(field.node.kind) stands here; \(remedy)")
                return nil
            },
            write: { .number($0.number.flatMap { JSONNumber($0) } ?? 0) }
        )
    }
}

extension Format<[String: SimulationArgument]> {
    /// How arguments are written, by the names of their parameters.
    package static func arguments(of parameters: [SimulationParameter]) -> Format {
        ObjectFormat(
            [:],
            parameters.map { .optional($0.name, \.[$0.name], .argument($0), $0.summary) }
        )
        .format(isInline: true)
    }
}

extension ClosedRange<Duration> {
    /// From nothing to 24 hours.
    package static let upToADay: ClosedRange<Duration> = .zero ... .seconds(86_400)
}

/// Something about a model that a file may set.
package struct SimulationParameter: Sendable, Hashable {
    /// What an argument may be.
    package enum Kind: Sendable, Hashable {
        /// A time in this range.
        case duration(ClosedRange<Duration>)
        /// A time in this range, or the characteristic of the service that holds the seconds.
        case durationOrCharacteristic(ClosedRange<Duration>)
        /// A number in this range.
        case number(ClosedRange<Double>)
        /// A whole number in this range.
        case integer(ClosedRange<Int>)
        /// Yes or no.
        case flag
        /// One of these words.
        case choice([String])
    }

    /// The name in files, such as `travel`.
    package let name: String
    /// What an argument may be.
    package let kind: Kind
    /// What holds without an argument; `nil` when nothing does.
    package let defaultValue: SimulationArgument?
    /// What it means, in a sentence for people.
    package let summary: String
}

/// What a file says of one parameter of a model.
package enum SimulationArgument: Sendable, Hashable {
    /// A time.
    case duration(Duration)
    /// The characteristic of the same service that holds the value.
    case characteristic(CharacteristicType)
    /// A number.
    case number(Double)
    /// Yes or no.
    case flag(Bool)
    /// One of several words.
    case choice(String)
}
