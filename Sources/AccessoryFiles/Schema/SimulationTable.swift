internal import AccessoryModel
internal import Documents
package import Simulation

/// The models and their parameters as people read them, in Markdown.
package enum SimulationTable {
    /// Two tables: what each model moves, and what may be set of it.
    package static func markdown(_ models: [SimulationModelDefinition]) -> String {
        let rows = models.map { model in
            "| `\(model.name)` | \(model.services.map(\.description).joined(separator: ", ")) | \(model.summary) |\n"
        }
        let parameters = models.flatMap { model in
            model.parameters.map { parameter in
                "| `\(model.name)` | `\(parameter.name)` | \(values(of: parameter.kind)) "
                    + "| \(parameter.defaultValue.map(text) ?? "none") | \(parameter.summary) |\n"
            }
        }
        return "| Model | Moves | What it is |\n|---|---|---|\n" + rows.joined()
            + "\n| Model | Parameter | Values | Without it | What it means |\n|---|---|---|---|---|\n"
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
    /// As definitions write it; no parameter has one that they cannot write.
    fileprivate var text: String {
        DurationText.write(self) ?? "\(self)"
    }
}
