import Documents
import Resources
import Simulation

/// The result of a scenario, as `hap run --json` prints it.
struct ScenarioReport: Sendable {
    var file: String
    var result: ScenarioResult

    /// The results of all scenarios of a command.
    static let list = Format<[ScenarioReport]>(
        response: "ScenarioReports",
        .written("passed", \.isPassed, .boolean, "Whether all scenarios passed."),
        .written("scenarios", \.self, .list(of: format), "The results of the scenarios.")
    )

    private static let format = Format<ScenarioReport>(
        response: "ScenarioReport",
        .written("file", \.file, .string, "The file, as it was named."),
        .written("name", \.result.name, .string, "The name of the scenario."),
        .written("passed", \.result.isPassed, .boolean, "Whether all steps passed."),
        .written("steps", \.result.steps, .list(of: .scenarioStep), "The results of the steps.")
    )
}

extension [ScenarioReport] {
    fileprivate var isPassed: Bool { allSatisfy(\.result.isPassed) }
}
