/// One step of a scenario.
package struct ScenarioStep: Sendable, Hashable {
    /// When it begins.
    package enum Moment: Sendable, Hashable {
        /// So long after the scenario has begun.
        case at(Duration)
        /// So long after the step before it has ended.
        case after(Duration)
    }

    /// What it does at its moment.
    package enum Deed: Sendable, Hashable {
        /// Nothing more than to wait.
        case nothing
        /// Something to the simulation.
        case act(SimulationAction)
        /// To expect something; the scenario fails when it does not happen in time.
        case expect(ScenarioExpectation)
        /// Other steps so many times.
        case `repeat`(Int, [ScenarioStep])
    }

    /// What people call it; `nil` for what it does.
    package var name: String?
    /// Where it stands in its file.
    package var place: ScenarioPosition
    /// When it begins; `nil` for at once.
    package var moment: Moment?
    /// What it waits for then.
    package var condition: ScenarioExpectation?
    /// What it does.
    package var deed: Deed

    /// Creates a step.
    package init(
        _ deed: Deed = .nothing,
        name: String? = nil,
        place: ScenarioPosition = ScenarioPosition(),
        moment: Moment? = nil,
        condition: ScenarioExpectation? = nil
    ) {
        self.name = name
        self.place = place
        self.moment = moment
        self.condition = condition
        self.deed = deed
    }
}
