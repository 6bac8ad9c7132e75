/// Why a scenario cannot be run: what is wrong in its file, and where.
package struct ScenarioMistake: Error, Sendable, Hashable {
    /// How many are told at most: whoever sees so many has one reason for them.
    package static let told = 100

    /// Where it stands in its file.
    package var place: ScenarioPosition
    /// What is wrong, and what would be right.
    package var error: SimulationError
}
