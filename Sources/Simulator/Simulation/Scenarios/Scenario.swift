package import Documents

/// A sequence of steps that changes simulated accessories and checks them and their controllers.
///
/// The steps run one after another. Each step waits for its time, then for its condition, and then acts or expects
/// something.
package struct Scenario: Sendable, Hashable {
    /// The name of the scenario.
    package var name: String
    /// The purpose of the scenario, in one sentence or more.
    package var summary: String?
    /// The accessory files to serve, as the scenario's file writes them; empty for the Kilgo garage.
    package var files: [String] = []
    /// The file of the home whose automations run during the scenario, as the scenario's file writes it.
    package var home: String?
    /// The date and time on the home's clock when the scenario begins, such as `2026-03-02 06:00`.
    ///
    /// With `nil`, the home's clock shows the current date and time.
    package var start: String?
    /// The seed of the random numbers.
    package var seed: UInt64?
    /// The steps, in order.
    package var steps: [ScenarioStep] = []

    /// The longest duration that a scenario may name: ten years.
    package static let maximumDuration = Duration.seconds(3_650 * 86_400)
    /// The allowed numbers of repetitions.
    package static let repetitionRange = 1...10_000
    /// The largest number of steps that a scenario may run, counting each repetition.
    package static let maximumSteps = 100_000
    /// The largest depth of nested repetitions.
    package static let maximumDepth = 4
}

/// One step of a scenario.
package struct ScenarioStep: Sendable, Hashable {
    /// The time at which a step begins.
    package enum Timing: Sendable, Hashable {
        /// This long after the scenario has begun.
        case at(Duration)
        /// This long after the previous step has ended.
        case after(Duration)
    }

    /// The action of a step.
    package enum Action: Sendable, Hashable {
        /// Does nothing: the step only waits.
        case nothing
        /// Performs an action on the simulation.
        case perform(WrittenAction)
        /// Expects that an event occurs in time, or that it does not.
        case expect(ScenarioExpectation)
        /// Runs other steps this many times.
        case `repeat`(Int, [ScenarioStep])
    }

    /// The name of the step; `nil` to describe it by its action.
    package var name: String?
    /// The position of the step in its file.
    package var location: SourceLocation?
    /// The time at which the step begins; `nil` for immediately.
    package var timing: Timing?
    /// The condition that the step waits for after its time has come.
    package var condition: ScenarioExpectation?
    /// The action of the step.
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

/// An event that must occur within a time, or must not.
package struct ScenarioExpectation: Sendable, Hashable {
    /// The events that can be expected.
    package enum Event: Sendable, Hashable {
        /// A characteristic has a matching value, or receives one.
        case value(SimulationTarget, ValueTest)
        /// A controller acts on any accessory, or on this target.
        case controller(ControllerAction, SimulationTarget?)
        /// A controller receives an event notification for a characteristic, with a matching value if a test is given.
        case notification(SimulationTarget, ValueTest?)
        /// The driver of an accessory, or the device behind it, reports this event with these details.
        case driver(SimulationTarget, String, [String: String])
    }

    /// The event that must occur, or must not.
    package var event: Event
    /// The time, on the simulation's clock.
    package var limit: Duration
    /// Whether the event must not occur during the time.
    package var isForbidden: Bool
    /// The position of the expectation in its file.
    package var location: SourceLocation?

    /// Creates an expectation.
    package init(
        _ event: Event,
        within limit: Duration,
        isForbidden: Bool = false,
        location: SourceLocation? = nil
    ) {
        self.event = event
        self.limit = limit
        self.isForbidden = isForbidden
        self.location = location
    }

    /// The time limit of an expectation that names none: one minute.
    package static let defaultLimit = Duration.seconds(60)
    /// The time limit of a condition that names none: one day.
    package static let defaultConditionLimit = Duration.seconds(86_400)
}

/// A test of a characteristic's value, as written in a scenario.
package enum ValueTest: Sendable, Hashable {
    /// The value equals this text.
    case equals(String)
    /// The value differs from this text, or there is none.
    case differs(from: String)
    /// The value is greater than this number.
    case above(Double)
    /// The value is less than this number.
    case below(Double)
}

/// An action of a controller that a scenario may wait for.
package enum ControllerAction: String, Sendable, Hashable, CaseIterable {
    /// The controller pairs.
    case pairs
    /// The controller removes its pairing, or its pairing is removed.
    case unpairs
    /// The controller opens a session.
    case connects
    /// The controller reads a characteristic.
    case reads
    /// The controller writes a characteristic.
    case writes
    /// The controller subscribes to a characteristic.
    case subscribes

    /// Whether the target of the action is a characteristic, and not a whole server.
    package var targetsCharacteristics: Bool {
        switch self {
        case .reads, .writes, .subscribes: true
        case .pairs, .unpairs, .connects: false
        }
    }
}

/// An error in a scenario's file, with its position.
package struct ScenarioError: Error, Sendable, Hashable {
    /// The largest number of errors that are reported.
    ///
    /// Beyond that number, further errors usually have the same cause.
    package static let maximumReported = 100

    /// The position of the error in its file.
    package var location: SourceLocation?
    /// The problem and its remedy.
    package var error: SimulationError

    /// The line and the column, for sorting.
    var sortKey: (line: Int, column: Int) {
        (location?.position?.line ?? 0, location?.position?.column ?? 0)
    }
}
