import AccessoryModel
import Documents
import Simulation

/// The simulation models and their parameters as Markdown.
enum SimulationTable {
    /// Returns two tables: the purpose of each model, and its parameters.
    static func markdown(_ models: [SimulationModelDefinition]) -> String {
        let rows = models.map { model in
            "| `\(model.name)` | \(model.services.map(\.description).joined(separator: ", ")) | \(model.summary) |\n"
        }
        let parameters = models.flatMap { model in
            model.parameters.map { parameter in
                "| `\(model.name)` | `\(parameter.name)` | \(values(of: parameter.kind)) "
                    + "| \(parameter.defaultValue.map(text) ?? "none") | \(parameter.summary) |\n"
            }
        }
        return "| Model | Services | Purpose |\n|---|---|---|\n" + rows.joined()
            + "\n| Model | Parameter | Values | Default | Meaning |\n|---|---|---|---|---|\n"
            + parameters.joined()
    }

    private static func values(of kind: SimulationParameter.Kind) -> String {
        switch kind {
        case .duration(let range): span(range)
        case .durationOrCharacteristic(let range): "\(span(range)), or the name of a characteristic"
        case .number(let range): "\(number(range.lowerBound)) to \(number(range.upperBound))"
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .flag: "`true`, `false`"
        case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        }
    }

    private static func text(_ argument: SimulationArgument) -> String {
        switch argument {
        case .duration(let duration): duration.text
        case .characteristic(let type): type.description
        case .number(let value): number(value)
        case .flag(let flag): "`\(flag)`"
        case .choice(let word): "`\(word)`"
        }
    }

    private static func span(_ range: ClosedRange<Duration>) -> String {
        "\(range.lowerBound.text) to \(range.upperBound.text)"
    }

    private static func number(_ value: Double) -> String {
        Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}

extension Duration {
    /// The duration as it is written in definitions, which is possible for every default of a parameter.
    fileprivate var text: String {
        DurationText.write(self) ?? "\(self)"
    }
}
