/// Something that is to happen within a time.
package struct ScenarioExpectation: Sendable, Hashable {
    /// What is to happen.
    package enum Event: Sendable, Hashable {
        /// A characteristic has such a value, or gets it.
        case value(SimulationTarget, ValueTest)
        /// A controller does something: with any accessory, or with this target.
        case controller(ControllerDeed, SimulationTarget?)
        /// An event message tells a controller of a characteristic, with such a value if one is named.
        case event(SimulationTarget, ValueTest?)
    }

    /// What is to happen.
    package var event: Event
    /// How long it may take on the simulation's clock.
    package var limit: Duration
    /// Where it stands in its file.
    package var place: ScenarioPosition

    /// Creates an expectation.
    package init(_ event: Event, within limit: Duration, place: ScenarioPosition = ScenarioPosition()) {
        self.event = event
        self.limit = limit
        self.place = place
    }

    /// How long an expectation waits when it names no time.
    package static let standardLimit = Duration.seconds(60)
    /// How long a condition waits when it names no time.
    package static let standardConditionLimit = Duration.seconds(86_400)
}
