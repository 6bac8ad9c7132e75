package import Documents

/// What happens to simulated accessories, step by step, and what is expected of them and of their controllers.
///
/// One step follows the other; each waits for its moment, then for its condition, and then does or expects something.
package struct Scenario: Sendable, Hashable {
    /// What people call it.
    package var name: String
    /// What it is about, in a sentence or more.
    package var summary: String?
    /// The files of what is served, as they are written; none for the Kilgo garage.
    package var files: [String] = []
    /// The file of the home whose automations run beside, as it is written.
    package var home: String?
    /// What the home's calendar and clock show when it begins, such as `2026-03-02 06:00`; `nil` for what they show then.
    package var start: String?
    /// What chance is drawn from.
    package var seed: UInt64?
    /// What happens.
    package var steps: [ScenarioStep] = []

    /// The longest time that a scenario may name: ten years.
    package static let longest = Duration.seconds(3_650 * 86_400)
    /// How often steps are repeated at most.
    package static let repetitions = 1...10_000
    /// How many steps may happen, those that are repeated counted each time.
    package static let maximumSteps = 100_000
    /// How deep repetitions may lie in each other.
    package static let maximumDepth = 4
}

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
    package var place: SourceLocation?
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
        place: SourceLocation? = nil,
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
    package var place: SourceLocation?

    /// Creates an expectation.
    package init(_ event: Event, within limit: Duration, place: SourceLocation? = nil) {
        self.event = event
        self.limit = limit
        self.place = place
    }

    /// How long an expectation waits when it names no time.
    package static let standardLimit = Duration.seconds(60)
    /// How long a condition waits when it names no time.
    package static let standardConditionLimit = Duration.seconds(86_400)
}

/// What a value is held to, in people's words.
package enum ValueTest: Sendable, Hashable {
    /// It is this one.
    case equals(String)
    /// It is a greater number.
    case above(Double)
    /// It is a smaller number.
    case below(Double)
}

/// What a controller does that a scenario may wait for.
package enum ControllerDeed: String, Sendable, Hashable, CaseIterable {
    /// It pairs.
    case pairs
    /// It gives up its pairing, or is removed.
    case unpairs
    /// It opens a session.
    case connects
    /// It reads a characteristic.
    case reads
    /// It writes a characteristic.
    case writes
    /// It subscribes to a characteristic.
    case subscribes

    /// Whether it does it to a characteristic, and not to a whole server.
    package var concernsCharacteristics: Bool {
        switch self {
        case .reads, .writes, .subscribes: true
        case .pairs, .unpairs, .connects: false
        }
    }
}

/// Why a scenario cannot be run: what is wrong in its file, and where.
package struct ScenarioMistake: Error, Sendable, Hashable {
    /// How many are told at most: whoever sees so many has one reason for them.
    package static let told = 100

    /// Where it stands in its file.
    package var place: SourceLocation?
    /// What is wrong, and what would be right.
    package var error: SimulationError

    /// The line and the column, for sorting.
    var order: (line: Int, column: Int) {
        (place?.position?.line ?? 0, place?.position?.column ?? 0)
    }
}
