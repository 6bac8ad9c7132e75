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
    package static let maximumDuration = Duration.seconds(3_650 * 86_400)
    /// How often steps are repeated at most.
    package static let repetitionRange = 1...10_000
    /// How many steps may happen, those that are repeated counted each time.
    package static let maximumSteps = 100_000
    /// How deep repetitions may lie in each other.
    package static let maximumDepth = 4
}

/// One step of a scenario.
package struct ScenarioStep: Sendable, Hashable {
    /// When it begins.
    package enum Timing: Sendable, Hashable {
        /// So long after the scenario has begun.
        case at(Duration)
        /// So long after the step before it has ended.
        case after(Duration)
    }

    /// What it does at its moment.
    package enum Action: Sendable, Hashable {
        /// Nothing more than to wait.
        case nothing
        /// Something to the simulation.
        case perform(SimulationAction)
        /// To expect something; the scenario fails when it does not happen in time.
        case expect(ScenarioExpectation)
        /// Other steps so many times.
        case `repeat`(Int, [ScenarioStep])
    }

    /// What people call it; `nil` for what it does.
    package var name: String?
    /// Where it stands in its file.
    package var location: SourceLocation?
    /// When it begins; `nil` for at once.
    package var timing: Timing?
    /// What it waits for then.
    package var condition: ScenarioExpectation?
    /// What it does.
    package var action: Action

    /// Creates a step.
    package init(
        _ deed: Action = .nothing,
        name: String? = nil,
        location: SourceLocation? = nil,
        timing: Timing? = nil,
        condition: ScenarioExpectation? = nil
    ) {
        self.name = name
        self.location = location
        self.timing = timing
        self.condition = condition
        self.action = deed
    }
}

/// Something that is to happen within a time.
package struct ScenarioExpectation: Sendable, Hashable {
    /// What is to happen.
    package enum Event: Sendable, Hashable {
        /// A characteristic has such a value, or gets it.
        case value(SimulationTarget, ValueTest)
        /// A controller does something: with any accessory, or with this target.
        case controller(ControllerAction, SimulationTarget?)
        /// An event message tells a controller of a characteristic, with such a value if one is named.
        case notification(SimulationTarget, ValueTest?)
    }

    /// What is to happen.
    package var event: Event
    /// How long it may take on the simulation's clock.
    package var limit: Duration
    /// Where it stands in its file.
    package var location: SourceLocation?

    /// Creates an expectation.
    package init(_ event: Event, within limit: Duration, location: SourceLocation? = nil) {
        self.event = event
        self.limit = limit
        self.location = location
    }

    /// How long an expectation waits when it names no time.
    package static let defaultLimit = Duration.seconds(60)
    /// How long a condition waits when it names no time.
    package static let defaultConditionLimit = Duration.seconds(86_400)
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
package enum ControllerAction: String, Sendable, Hashable, CaseIterable {
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
    package var targetsCharacteristics: Bool {
        switch self {
        case .reads, .writes, .subscribes: true
        case .pairs, .unpairs, .connects: false
        }
    }
}

/// Why a scenario cannot be run: what is wrong in its file, and where.
package struct ScenarioError: Error, Sendable, Hashable {
    /// How many are told at most: whoever sees so many has one reason for them.
    package static let maximumReported = 100

    /// Where it stands in its file.
    package var location: SourceLocation?
    /// What is wrong, and what would be right.
    package var error: SimulationError

    /// The line and the column, for sorting.
    var sortKey: (line: Int, column: Int) {
        (location?.position?.line ?? 0, location?.position?.column ?? 0)
    }
}
