/// A step of a scenario that can be done as it stands.
package struct PlannedStep: Sendable, Hashable {
    /// What it does at its moment.
    package enum Deed: Sendable, Hashable {
        /// Nothing more than to wait.
        case nothing
        /// Something to the simulation.
        case act(SimulationAction)
        /// To expect something.
        case expect(ScenarioWait)
    }

    /// What it is called in reports.
    package var title: String
    /// Where it stands in its file.
    package var place: ScenarioPosition
    /// When it begins; `nil` for at once.
    package var moment: ScenarioStep.Moment?
    /// What it waits for then.
    package var condition: ScenarioWait?
    /// What it does.
    package var deed: Deed
}
