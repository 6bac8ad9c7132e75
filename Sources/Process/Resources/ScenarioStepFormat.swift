package import Documents
package import Simulation

extension Format<StepResult> {
    /// A step of a scenario that has ended.
    package static let scenarioStep = Format(
        response: "ScenarioStep",
        .written("title", \.title, .string, "The name of the step."),
        .written("line", \.line, .count, "The line in the file; 0 without a file."),
        .written("endSeconds", \.endSeconds, .number, "The simulated seconds from the start to the end of the step."),
        .written("outcome", \.outcomeWord, .word(["passed", "failed", "interrupted", "skipped"]), "The result."),
        .written("message", \.reason, .string, "Why the step failed or was interrupted.")
    )
}
