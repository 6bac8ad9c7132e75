import ArgumentParser
import Documents
import HomeModel

/// The triggers, the condition, the targets and the end of an automation on the command line.
struct HomeRuleOptions: ParsableArguments {
    /// The allowed values of `--end-after` in seconds; the model has the same limits.
    private static let delays = 1...31 * 86_400

    @OptionGroup var trigger: HomeTriggerOptions

    @Option(
        name: .customLong("if"),
        help: ArgumentHelp(
            "A condition: a value of a property as for --when, or a map as under \"if\" in a home file.",
            valueName: "what=value|map"
        )
    )
    var conditions: [String] = []

    @Option(help: ArgumentHelp("A scene that it runs.", valueName: "name"), completion: HomeCompletion.names(.scene))
    var scene: [String] = []

    @Option(help: ArgumentHelp("An action, as for 'hap home add scene'.", valueName: "what=value"))
    var set: [String] = []

    @Option(
        help: ArgumentHelp(
            "End this long after the run, or after --end-when: seconds, or a duration such as 5min.",
            valueName: "duration"
        )
    )
    var endAfter: String?

    @Option(help: ArgumentHelp("End when a property gets a value, as for --when.", valueName: "what=value"))
    var endWhen: String?

    @Option(
        help: ArgumentHelp(
            "An action at the end. Default: restore the values from before the run.",
            valueName: "what=value"
        )
    )
    var endSet: [String] = []

    @Option(help: ArgumentHelp("The end, as under \"end\" in a home file.", valueName: "map"))
    var end: String?

    @Flag(inversion: .prefixedNo, help: "Whether it is disabled after its first run.")
    var once: Bool?

    /// Whether the options state the scenes and actions.
    var hasTargets: Bool { !scene.isEmpty || !set.isEmpty }
    /// Whether the options state the end.
    var hasEnd: Bool { end != nil || endAfter != nil || endWhen != nil }
    /// Whether no option is given.
    var isEmpty: Bool { trigger.isEmpty && conditions.isEmpty && !hasTargets && !hasEnd && once == nil }

    func validate() throws {
        try HomeActionArgument.check(set + endSet)
        try HomeTestArgument.check([endWhen].compactMap(\.self))
        guard end == nil || (endAfter == nil && endWhen == nil && endSet.isEmpty) else {
            throw ValidationError("Write one of --end-after and --end; --end also replaces --end-when and --end-set.")
        }
        guard endSet.isEmpty || hasEnd else {
            throw ValidationError("The time of the end is missing; write --end-after, --end-when or both.")
        }
        _ = try delay()
        _ = try namedParts()
    }

    /// Returns the parts whose references, if any, are names that still have to be resolved.
    ///
    /// - Throws: `ValidationError` when one of them is invalid.
    func namedParts() throws -> AutomationRule<HomeNames> {
        let maps = try conditions.filter { !HomeTestArgument.isTest($0) }
            .map { try HomeFilePart.read($0, "--if", .condition) }
        return AutomationRule(
            triggers: try trigger.namedTriggers(),
            condition: maps.isEmpty ? nil : .all(maps),
            targets: AutomationTargets(),
            end: try end.map { try HomeFilePart.read($0, "--end", .end) }
        )
    }

    /// Replaces each part of a rule that the options state, and leaves the others unchanged.
    ///
    /// - Parameters:
    ///   - named: The result of ``namedParts()``.
    ///   - rule: The rule.
    ///   - name: The name of the automation.
    ///   - home: The home.
    func apply(
        _ named: AutomationRule<HomeNames>,
        to rule: inout AutomationRule<HomeIDs>,
        of name: ObjectName,
        in home: Home
    ) throws(HomeError) {
        let resolved = try home.resolve(named, of: name)
        if !trigger.isEmpty { rule.triggers = resolved.triggers + (try trigger.valueTriggers(in: home)) }
        if !conditions.isEmpty {
            var parts: [Condition<HomeIDs>] = []
            if case .all(let maps) = resolved.condition { parts = maps }
            for text in conditions where HomeTestArgument.isTest(text) {
                let (characteristic, test) = try HomeTestArgument.test(text, in: home)
                parts.append(.characteristic(characteristic, test))
            }
            rule.condition = parts.count == 1 ? parts[0] : .all(parts)
        }
        if hasTargets {
            rule.targets = AutomationTargets(ownActions: try HomeActionArgument.actions(set, in: home))
            for scene in scene { rule.targets.scenes.append(try home.scene(named: scene).id) }
        }
        if let end = resolved.end {
            rule.end = end
        } else if hasEnd {
            rule.end = try end(in: home)
        }
        if let once { rule.executesOnce = once }
    }

    /// Returns the end that `--end-after`, `--end-when` and `--end-set` describe.
    private func end(in home: Home) throws(HomeError) -> EndEvent<HomeIDs>? {
        let test = try endWhen.map { text throws(HomeError) in try HomeTestArgument.test(text, in: home) }
        guard let timing = EndEvent<HomeIDs>.Timing(test: test, delay: try? delay()) else { return nil }
        let actions = try HomeActionArgument.actions(endSet, in: home)
        return EndEvent(timing, endSet.isEmpty ? .restore : .actions(actions))
    }

    private func delay() throws -> Duration? {
        guard let endAfter else { return nil }
        let delay = Int(endAfter).map { Duration.seconds($0) } ?? DurationText.readSum(endAfter)
        guard let delay, .seconds(Self.delays.lowerBound) ... .seconds(Self.delays.upperBound) ~= delay else {
            throw ValidationError(
                "Write --end-after as seconds from \(Self.delays.lowerBound) to \(Self.delays.upperBound), or as a "
                    + "duration such as 5min."
            )
        }
        return delay
    }
}
