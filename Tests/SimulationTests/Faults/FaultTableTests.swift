import AccessoryModel
import Foundation
import Simulation
import Testing

/// The tables of faults for people follow from the catalog.
struct FaultTableTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/simulator.md")

    private static let begin = "<!-- faults: written by FaultTableTests -->\n"
    private static let end = "<!-- end of faults -->"

    /// `HAP_WRITE_FIXTURES=1 swift test --filter FaultTableTests` writes the tables again.
    @Test func theTablesInTheDocumentationMatchTheCatalog() throws {
        var text = try String(contentsOf: Self.file, encoding: .utf8)
        let begin = try #require(text.range(of: Self.begin))
        let end = try #require(text.range(of: Self.end))
        let place = begin.upperBound..<end.lowerBound
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            let written = String(text[place])
            text.replaceSubrange(place, with: Self.tables)
            if written != Self.tables {
                try text.write(to: Self.file, atomically: true, encoding: .utf8)
            }
            return
        }
        #expect(String(text[place]) == Self.tables, "write it again with HAP_WRITE_FIXTURES=1")
    }

    private static var tables: String {
        let faults = FaultCatalog.definitions.filter { $0.realWorldExample == nil }
        let quirks = FaultCatalog.definitions.filter { $0.realWorldExample != nil }
        return """

            | Fault | What it does | Put on | Limited by | Parameters |
            |---|---|---|---|---|
            \(faults.map { row($0, cell: limits($0)) }.joined(separator: "\n"))

            | Quirk | What it does | Resembles | Parameters |
            |---|---|---|---|
            \(quirks.map(quirk).joined(separator: "\n"))

            """
    }

    private static func row(_ definition: FaultDefinition, cell: String) -> String {
        let scopes = definition.scopes.map(\.rawValue).joined(separator: ", ")
        return "| `\(definition.name)` | \(definition.summary) | \(scopes) | \(cell) | \(parameters(definition)) |"
    }

    private static func quirk(_ definition: FaultDefinition) -> String {
        "| `\(definition.name)` | \(definition.summary) | \(definition.realWorldExample ?? "") | "
            + "\(parameters(definition)) |"
    }

    private static func limits(_ definition: FaultDefinition) -> String {
        switch (definition.occurrence, definition.defaultLimit.count) {
        case (.momentary, _): "happens once"
        case (.lasting, _): "time"
        case (.repeated, let count?): "count (\(count) by default), time"
        case (.repeated, nil): "count, time"
        }
    }

    private static func parameters(_ definition: FaultDefinition) -> String {
        definition.parameters
            .map { parameter in
                let standard = parameter.defaultValue.map { " = \(Self.text(of: $0))" } ?? ""
                return "`\(parameter.name)\(standard)` \(parameter.summary)"
            }
            .joined(separator: " ")
    }

    private static func text(of argument: SimulationArgument) -> String {
        switch argument {
        case .duration(let duration): "\(duration.components.seconds)s"
        case .characteristic(let type): "\(type)"
        case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .flag(let flag): "\(flag)"
        case .choice(let word): word
        }
    }
}
