/// Why a scenario cannot be run: what is wrong, and where.
package struct ScenarioFault: Error, Sendable, Hashable {
    /// Where it stands in its file.
    package var place: ScenarioPosition
    /// What is wrong, and what would be right.
    package var error: SimulationError
}
