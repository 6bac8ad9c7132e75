import Foundation
import Simulation
import Testing

@Suite
struct SimulationTableTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/simulator.md")
    private static let begin = "<!-- models: begin -->\n"
    private static let end = "<!-- models: end -->\n"

    /// Run `HAP_WRITE_FIXTURES=1 swift test --filter SimulationTableTests` to update the table.
    @Test
    func tableInTheRepositoryMatchesTheCatalog() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let begin = try #require(text.range(of: Self.begin))
        let end = try #require(text.range(of: Self.end, range: begin.upperBound..<text.endIndex))
        let table = SimulationTable.markdown(SimulationCatalog.models)
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            let whole = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: table)
            try whole.write(to: Self.file, atomically: true, encoding: .utf8)
        } else {
            #expect(text[begin.upperBound..<end.lowerBound] == table, "run with HAP_WRITE_FIXTURES=1 to update it")
        }
    }

    @Test
    func everyModelAndEveryParameterHasItsRow() {
        let lines = SimulationTable.markdown(SimulationCatalog.models).split(separator: "\n")
        for model in SimulationCatalog.models {
            #expect(lines.contains { $0.hasPrefix("| `\(model.name)` | ") && $0.contains(model.summary) })
            for parameter in model.parameters {
                #expect(lines.contains { $0.hasPrefix("| `\(model.name)` | `\(parameter.name)` |") })
            }
        }
        #expect(Set(SimulationCatalog.models.map(\.name)).count == SimulationCatalog.models.count)
    }
}
