package import AccessoryModel
package import Documents
internal import HAPCore

/// A parameter and the property of a model's configuration that it sets.
struct ModelParameter<Configuration: Sendable>: Sendable {
    let name: String
    let kind: SimulationParameter.Kind
    let summary: String
    /// Returns the argument that a configuration holds; `nil` if there is none.
    let argument: @Sendable (Configuration) -> SimulationArgument?
    /// Stores an argument of the right kind in a configuration; ignores an argument of another kind.
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
    /// Creates a parameter for a duration of up to one day, unless another range is given.
    static func duration(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Duration> & Sendable,
        within range: ClosedRange<Duration> = .upToADay,
        _ summary: String
    ) -> ModelParameter {
        parameter(name, place, .duration(range), summary, argument: SimulationArgument.duration) { $0.duration }
    }

    /// Creates a parameter for an optional duration of up to one day.
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

    /// Creates a parameter for a number within a range.
    static func number(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Double> & Sendable,
        _ range: ClosedRange<Double>,
        _ summary: String
    ) -> ModelParameter {
        parameter(name, place, .number(range), summary, argument: SimulationArgument.number) { $0.number }
    }

    /// Creates a parameter for an integer within a range.
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

    /// Creates a parameter for a Boolean value.
    static func flag(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Bool> & Sendable,
        _ summary: String
    ) -> ModelParameter {
        parameter(name, place, .flag, summary, argument: SimulationArgument.flag) { $0.flag }
    }

    /// Creates a parameter for one of several words.
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

    /// Returns the public description of the parameter, with its value in the standard configuration as the default.
    func parameter(defaults standard: Configuration) -> SimulationParameter {
        SimulationParameter(name: name, kind: kind, defaultValue: argument(standard), summary: summary)
    }
}

extension Array {
    /// Returns the standard configuration, changed by the given arguments.
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
    /// Returns the file format of a parameter's argument.
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
            return Format<Double>.number(in: range, remedy: remedy)
                .map({ (number: Double) in .number(number) }, { $0.number ?? 0 })
        case .integer(let range):
            let remedy = "write a whole number from \(range.lowerBound) to \(range.upperBound)"
            let limits = Double(range.lowerBound)...Double(range.upperBound)
            return Format<Double>.number(in: limits, isInteger: true, remedy: remedy)
                .map({ (number: Double) in .number(number) }, { $0.number ?? 0 })
        case .flag:
            return Format<Bool>.boolean.map({ (flag: Bool) in .flag(flag) }, { $0.flag ?? false })
        case .choice(let words):
            return Format<String>.word(words.map { ($0, $0) })
                .map({ (word: String) in .choice(word) }, { $0.choice ?? "" })
        }
    }
}

extension Format<Double> {
    /// Returns the format of a number in a range.
    ///
    /// - Parameters:
    ///   - isInteger: Whether only whole numbers are valid.
    ///   - name: The meaning of a number, for messages.
    static func number(
        in range: ClosedRange<Double>,
        isInteger: Bool = false,
        _ name: String = "value",
        remedy: String
    ) -> Format {
        Format(
            schema: Schema(
                .init("type", .text(isInteger ? "integer" : "number")),
                .init("minimum", .number(JSONNumber(range.lowerBound) ?? 0)),
                .init("maximum", .number(JSONNumber(range.upperBound) ?? 0))
            ),
            read: { field, reader in
                if case .number(let number) = field.node.scalar?.meaning, range.contains(number.double),
                    !isInteger || Int(exactly: number.double) != nil
                {
                    return number.double
                }
                reader.report(field, "\(field.node.kind) is not a valid \(name); \(remedy)")
                return nil
            },
            write: { .number(JSONNumber($0) ?? 0) }
        )
    }
}

extension Format<[String: SimulationArgument]> {
    /// Returns the file format of a map from parameter names to arguments.
    package static func arguments(of parameters: [SimulationParameter]) -> Format {
        ObjectFormat(
            [:],
            parameters.map { .optional($0.name, \.[$0.name], .argument($0), $0.summary) }
        )
        .format(isInline: true)
    }
}

extension ClosedRange<Duration> {
    /// The durations from zero to 24 hours.
    package static let upToADay: ClosedRange<Duration> = .zero ... .seconds(86_400)
}

/// A parameter of a model that a file may set.
package struct SimulationParameter: Sendable, Hashable {
    /// The kinds of arguments, with their ranges.
    package enum Kind: Sendable, Hashable {
        /// A duration within this range.
        case duration(ClosedRange<Duration>)
        /// A duration within this range, or the characteristic of the service that holds the seconds.
        case durationOrCharacteristic(ClosedRange<Duration>)
        /// A number within this range.
        case number(ClosedRange<Double>)
        /// An integer within this range.
        case integer(ClosedRange<Int>)
        /// A Boolean value.
        case flag
        /// One of these words.
        case choice([String])
    }

    /// The name of the parameter in files, such as `travel`.
    package let name: String
    /// The kind of argument that the parameter accepts.
    package let kind: Kind
    /// The value that is used without an argument; `nil` if there is none.
    package let defaultValue: SimulationArgument?
    /// The meaning of the parameter, in one sentence for users.
    package let summary: String
}

/// The value that a file gives to one parameter of a model.
package enum SimulationArgument: Sendable, Hashable {
    /// A duration.
    case duration(Duration)
    /// The characteristic of the same service that holds the value.
    case characteristic(CharacteristicType)
    /// A number.
    case number(Double)
    /// A Boolean value.
    case flag(Bool)
    /// One of several words.
    case choice(String)
}
