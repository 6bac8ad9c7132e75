/// What happens to simulated accessories, step by step, and what is expected of them and of their controllers.
///
/// One step follows the other; each waits for its moment, then for its condition, and then does or expects something.
package struct Scenario: Sendable, Hashable {
    /// What people call it.
    package var name: String
    /// What it is about, in a sentence or more.
    package var summary: String?
    /// The files of what is served, as they are written; none for the Kilgo garage.
    package var files: [String]
    /// The file of the home whose automations run beside, as it is written.
    package var home: String?
    /// What the home's calendar and clock show when it begins, such as `2026-03-02 06:00`; `nil` for what they show then.
    package var start: String?
    /// What chance is drawn from.
    package var seed: UInt64?
    /// What happens.
    package var steps: [ScenarioStep]

    /// Creates a scenario.
    package init(
        name: String,
        summary: String? = nil,
        files: [String] = [],
        home: String? = nil,
        start: String? = nil,
        seed: UInt64? = nil,
        steps: [ScenarioStep] = []
    ) {
        self.name = name
        self.summary = summary
        self.files = files
        self.home = home
        self.start = start
        self.seed = seed
        self.steps = steps
    }

    /// The longest time that a scenario may name: ten years.
    package static let longest = Duration.seconds(3_650 * 86_400)
    /// How often steps are repeated at most.
    package static let repetitions = 1...10_000
    /// How many steps may happen, those that are repeated counted each time.
    package static let maximumSteps = 100_000
    /// How deep repetitions may lie in each other.
    package static let maximumDepth = 4
}
