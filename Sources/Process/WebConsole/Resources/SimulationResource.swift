internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Hosting
internal import Resources
internal import Simulation

/// The simulated time, as the API shows it.
struct TimeResource: Sendable {
    /// The seconds on the clock of the simulation.
    var seconds: Double
    /// The simulated seconds since the start of the process.
    var elapsed: Double
    var scale: Double
    var isPaused: Bool

    static let format = Format<TimeResource>(
        response: "Time",
        .written("seconds", \.seconds, .number, "The seconds on the simulation's clock; only differences matter."),
        .written("elapsed", \.elapsed, .number, "The simulated seconds since the start of the process."),
        .written("scale", \.scale, .number, "The simulated seconds per real second."),
        .written("paused", \.isPaused, .boolean, "Whether simulated time is paused.")
    )
}

/// A kind of fault that can be injected, as the API shows it.
struct FaultKindResource: Sendable {
    var definition: FaultDefinition
    var group: String

    /// All of them.
    static let all = FaultCatalog.groups.flatMap { group in
        group.definitions.map { FaultKindResource(definition: $0, group: group.name) }
    }

    private var scopes: [String] { definition.scopes.map(\.rawValue) }
    private var count: Int? { definition.defaultLimit.count }

    static let format = Format<FaultKindResource>(
        response: "FaultKind",
        .written("name", \.definition.name, .string, "The name of the fault."),
        .written("group", \.group, .string, "What the fault concerns, such as \"Connections\"."),
        .written("summary", \.definition.summary, .string, "What the fault does."),
        .written(
            "scopes",
            \.scopes,
            .list(of: .string),
            "What it can affect: server, accessory, service, characteristic."
        ),
        .written("count", \.count, .count, "How often it acts by default; missing without a limit."),
        .written("parameters", \.definition.parameters, .list(of: parameter), "The parameters.")
    )

    private static let parameter = Format<SimulationParameter>(
        response: "FaultParameter",
        .written("name", \.name, .string, "The name of the parameter."),
        .written("summary", \.summary, .string, "What the parameter means."),
        .written("default", \.standard, .string, "The value that is used without another one, if there is one."),
        .written("choices", \.choices, .list(of: .string), "The words to choose from, if not every value is allowed.")
    )
}

extension SimulationParameter {
    fileprivate var standard: String? {
        switch defaultValue.map({ Format.argument(self).write($0) }) {
        case .text(let text)?, .word(let text)?: text
        case .number(let number)?: number.description
        case .bool(let isTrue)?: String(isTrue)
        case .null?, .list?, .map?, .inlineMap?, nil: nil
        }
    }

    fileprivate var choices: [String]? {
        switch kind {
        case .choice(let words): words
        case .flag: ["true", "false"]
        case .duration, .durationOrCharacteristic, .number, .integer: nil
        }
    }
}

/// An active fault, as the API shows it.
struct FaultResource: Sendable {
    var fault: ActiveFault
    var object: ObjectReference
    /// The name of what the fault affects.
    var target: String

    static let format = Format<FaultResource>(
        response: "Fault",
        .written("name", \.fault.fault.effect.name, .string, "The name of the fault."),
        .written("server", \.object.server, .string, "The key of the server."),
        .written("aid", \.object.aid, .id, "The id of the accessory, if not all are affected."),
        .written("iid", \.object.iid, .id, "The id of the service or characteristic, if not all are affected."),
        .written(
            "scope",
            \.fault.fault.scope.level.rawValue,
            .string,
            "What the fault affects: a server, an accessory, a service or a characteristic."
        ),
        .written("target", \.target, .string, "The name of what the fault affects."),
        .written("remaining", \.fault.remaining, .count, "The number of times that it will still act.")
    )
}

/// A recorded value, as the API shows it.
struct HistoryEntryResource: Sendable {
    var entry: ValueHistory.Entry
    /// The simulated seconds since the start of the process.
    var elapsed: Double?

    static let format = Format<HistoryEntryResource>(
        response: "HistoryEntry",
        .written("time", \.entry.time, .time, "The time since which the value applies."),
        .written("elapsed", \.elapsed, .number, "The simulated seconds since the start of the process, if known."),
        .written("value", \.entry.value, .nullable(.value), "The value; null for a press.")
    )
}

/// A scenario that can be started, as the API shows it.
struct NamedScenarioResource: Sendable {
    var name: String
    var path: String

    static let format = Format<NamedScenarioResource>(
        response: "NamedScenario",
        .written("name", \.name, .string, "The name of the scenario."),
        .written("path", \.path, .string, "The path of its file, as it was given.")
    )
}

/// A scenario with its progress, as the API shows it.
struct ScenarioResource: Sendable {
    var name: String
    var stepCount: Int
    var isFinished = false
    var isPassed: Bool?
    var steps: [StepResult] = []
    var pending: [PlannedStep]

    /// Creates a scenario that begins now.
    init(_ plan: ScenarioPlan) {
        name = plan.name
        stepCount = plan.steps.count
        pending = plan.steps
    }

    /// Records the result of the next step.
    mutating func append(_ step: StepResult) {
        steps.append(step)
        pending = Array(pending.dropFirst())
    }

    static let format = Format<ScenarioResource>(
        response: "Scenario",
        .written("name", \.name, .string, "The name of the scenario."),
        .written("steps", \.stepCount, .count, "The number of steps."),
        .written("finished", \.isFinished, .boolean, "Whether the scenario has ended."),
        .written("passed", \.isPassed, .boolean, "Whether all steps passed; missing before the end."),
        .written("done", \.steps, .list(of: .scenarioStep), "The steps that have ended."),
        .written("pending", \.pending, .list(of: pendingStep), "The steps that have not ended.")
    )

    private static let pendingStep = Format<PlannedStep>(
        response: "PendingScenarioStep",
        .written("title", \.title, .string, "The name of the step."),
        .written("line", \.lineNumber, .count, "The line in the file; 0 without a file.")
    )
}

extension PlannedStep {
    fileprivate var lineNumber: Int { location?.position?.line ?? 0 }
}
