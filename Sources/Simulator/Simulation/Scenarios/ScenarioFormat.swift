internal import AccessoryModel
package import Documents
internal import HAPCore

// The file format of scenarios: a table of fields for each object, a table of cases for each choice. See
// `docs/scenarios.md`.

extension Format<Scenario> {
    /// Returns the format of a scenario.
    ///
    /// - Parameter isDateTime: Returns whether a text is a date with a time, such as `2026-12-24 18:00`.
    package static func scenarioFile(isDateTime: @escaping @Sendable (String) -> Bool) -> Format {
        let start = Format<String>
            .parsed(
                "date and time",
                "write them as 2026-12-24 18:00",
                pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?$",
                read: { isDateTime($0) ? $0 : nil },
                write: { $0 }
            )
        return ObjectFormat(
            Scenario(name: ""),
            [
                .ignored("$schema", "The location of this schema."),
                .required(
                    "scenario",
                    \.name,
                    .text(bytes: 1...256),
                    "The name of the scenario.",
                    missing: "the scenario has no name; begin with \"scenario: NAME\""
                ),
                .optional("summary", \.summary, .text, "The purpose of the scenario."),
                .defaulted(
                    "serve",
                    \.files,
                    .files,
                    "The accessory files to serve, relative to this file, besides those that the home names. Default: the "
                        + "Kilgo garage."
                ),
                .optional(
                    "home",
                    \.home,
                    .text(bytes: 1...4_096),
                    "The file of the home to run, relative to this file."
                ),
                .optional("start", \.start, start, "The date and time on the home's clock at the beginning."),
                .optional("seed", \.seed, .integer(in: 0...UInt64.max), "The seed of random numbers."),
                .required(
                    "steps",
                    \.steps,
                    .list(of: .step, emptyMessage: "the scenario has no steps; write at least one"),
                    "The steps, in order.",
                    missing: "the scenario has no steps; write them under \"steps\""
                ),
            ]
        ) { scenario throws(ObjectError) in
            guard scenario.start == nil || scenario.home != nil else {
                throw ObjectError(
                    at: "start",
                    "only a home has a calendar; name its file under \"home\", or omit this key"
                )
            }
        }
        .requiring(JSONSchema.conditional(JSONSchema.object(with: "home"), when: JSONSchema.object(with: "start")))
        .format()
    }

    /// Returns the text of the JSON Schema of scenarios.
    ///
    /// The schema rejects the same files as the reader, except for errors that a schema cannot detect: it does not know
    /// the accessories, and it does not add up durations.
    package static func scenarioSchema() -> [UInt8] {
        scenarioFile { _ in true }.schema
            .fileContents(
                title: "A scenario",
                "Steps on simulated accessories, with the expected results; see docs/scenarios.md."
            )
    }
}

extension Format<[String]> {
    /// One file, or several in a list.
    fileprivate static let files =
        Format
        .list(
            of: Format<String>.text(bytes: 1...4_096),
            emptyMessage: "no file is named; name one, or omit this key for the Kilgo garage"
        )
        .orShorthand(.text(bytes: 1...4_096), make: { [$0] }, take: { $0.count == 1 ? $0[0] : nil })
}

// MARK: Steps

extension Format<ScenarioStep> {
    fileprivate static let step = step(within: 0).defined(as: "step")

    /// The formats of a step by depth of repetition.
    ///
    /// The format is recursive; each level is created once.
    private static let stepFormats = (0...Scenario.maximumDepth).map(make)

    fileprivate static func step(within depth: Int) -> Format { stepFormats[min(depth, Scenario.maximumDepth)] }

    private static func make(within depth: Int) -> Format {
        let deeds = Choice<ScenarioStep.Action>.action(within: depth)
        let words: [(String, ScenarioStep)] = [
            ("pause", ScenarioStep(.perform(.pause))), ("resume", ScenarioStep(.perform(.resume))),
        ]
        return ObjectFormat<ScenarioStep>(
            .optional("name", .text(bytes: 1...256), "The name of the step in reports."),
            .choice(.timing),
            .optional(
                "when",
                .expectation(within: ScenarioExpectation.defaultConditionLimit),
                "The condition to wait for first."
            ),
            .choice(deeds),
            make: { name, moment, condition, deed throws(ObjectError) in
                guard deed != .nothing || moment != nil || condition != nil else {
                    throw ObjectError(
                        "this step does nothing; write one of \(deeds.discriminators.joined(separator: ", "))"
                    )
                }
                return ScenarioStep(deed, name: name, timing: moment, condition: condition)
            },
            take: { ($0.name, $0.timing, $0.condition, $0.action) }
        )
        .requiring(
            JSONSchema.any(of: (["at", "after", "when"] + deeds.discriminators).map { JSONSchema.object(with: $0) })
        )
        .format { key in
            ["wait", "delay", "sleep"].contains(key)
                ? "unknown key; write \"after: 5s\" for a delay, or \"when:\" for a condition" : nil
        }
        .orShorthand(
            .word(words),
            when: { node in words.contains { $0.0 == node.scalar?.text } },
            make: { $0 },
            take: { step in words.contains { $0.1 == step } ? step : nil }
        )
        .storingLocation(at: \.location)
    }
}

extension Format where Value: Sendable & Hashable {
    /// Returns a format that stores the position of a value in the file.
    func storingLocation(at path: any WritableKeyPath<Value, SourceLocation?> & Sendable) -> Format {
        located()
            .map(
                { located in
                    var value = located.value
                    value[keyPath: path] = located.location
                    return value
                },
                { Located($0) }
            )
    }
}

extension Choice<ScenarioStep.Timing?> {
    fileprivate static let timing = Choice(
        [
            .init(
                .required("at", .compoundDuration, "This long after the start of the scenario."),
                make: { .at($0) },
                take: { if case .at(let span) = $0 { span } else { nil } }
            ),
            .init(
                .required("after", .compoundDuration, "This long after the previous step."),
                make: { .after($0) },
                take: { if case .after(let span) = $0 { span } else { nil } }
            ),
        ],
        mismatchMessage: "",
        ambiguityError: { _ in ObjectError(at: "at", "a step has one start time; write either \"at\" or \"after\"") },
        defaultValue: nil
    )
}

extension Choice<ScenarioStep.Action> {
    /// The actions of a step.
    fileprivate static func action(within depth: Int) -> Choice {
        Choice(
            [
                .init(
                    .required("set", .target, "The characteristic to set."),
                    .required(
                        "to",
                        .value,
                        "The value.",
                        missing: "the step has no value; add \"to: VALUE\"",
                        at: "set"
                    ),
                    make: { .perform(.set($0, to: $1)) },
                    take: { if case .perform(.set(let target, let value)) = $0 { (target, value) } else { nil } }
                ),
                .init(
                    .required("press", .target, "The service of the button to press."),
                    .optional("how", .press, "The kind of press.", default: .single),
                    make: { .perform(.command(.press($1), on: $0)) },
                    take: {
                        if case .perform(.command(.press(let press), let target)) = $0 { (target, press) } else { nil }
                    }
                ),
                .command(.stop, "stop", "The service to stop."),
                .command(.obstruct, "obstruct", "The service to obstruct."),
                .command(.plug, "plug", "The service whose cable to plug in: an input, an outlet, a battery."),
                .command(.unplug, "unplug", "The service whose cable to pull out."),
                .init(
                    .required("device", .target, "The accessory whose driver to ask."),
                    .required(
                        "action",
                        .text(bytes: 1...256),
                        "What its driver is asked to do.",
                        missing: "the step does not say what the driver shall do; add \"action: NAME\"",
                        at: "device"
                    ),
                    .optional("with", .details, "The arguments of the action, by their names.", default: [:]),
                    make: { .perform(.act(DriverAction($1, $2), on: $0)) },
                    take: { action in
                        guard case .perform(.act(let action, let target)) = action else { return nil }
                        return (target, action.name, action.arguments)
                    }
                ),
                .init(
                    ObjectFormat<FaultRequest<WrittenReferences>>.fault,
                    make: { .perform(.fault($0)) },
                    take: { if case .perform(.fault(let request)) = $0 { request } else { nil } }
                ),
                .init(
                    ObjectFormat<WrittenAction>.clear,
                    make: { .perform($0) },
                    take: { if case .perform(let action) = $0 { action } else { nil } }
                ),
                .init(
                    .required("advance", .compoundDuration, "The time to advance by."),
                    make: { .perform(.advance($0)) },
                    take: { if case .perform(.advance(let span)) = $0 { span } else { nil } }
                ),
                .keyword("pause", .perform(.pause), "Pauses simulated time."),
                .keyword("resume", .perform(.resume), "Resumes simulated time."),
                .init(
                    .required("scale", .scale, "The number of simulated seconds per real second."),
                    make: { .perform(.scale($0)) },
                    take: { if case .perform(.scale(let scale)) = $0 { scale } else { nil } }
                ),
                .init(
                    .required("arrive", .text(bytes: 1...256), "The user of the home who arrives."),
                    make: { .perform(.arrive($0)) },
                    take: { if case .perform(.arrive(let name)) = $0 { name } else { nil } }
                ),
                .init(
                    .required("leave", .text(bytes: 1...256), "The user of the home who leaves."),
                    make: { .perform(.leave($0)) },
                    take: { if case .perform(.leave(let name)) = $0 { name } else { nil } }
                ),
                .init(
                    .required("log", .text(bytes: 1...1_000), "The text to print."),
                    make: { .perform(.log($0)) },
                    take: { if case .perform(.log(let text)) = $0 { text } else { nil } }
                ),
                .init(
                    .required("repeat", .repetitions(within: depth), "The number of repetitions."),
                    .required(
                        "steps",
                        .repeatedSteps(within: depth),
                        "The steps to repeat.",
                        missing: "there are no steps to repeat; write them under \"steps\"",
                        at: "repeat"
                    ),
                    make: { .repeat($0, $1) },
                    take: { if case .repeat(let count, let steps) = $0 { (count, steps) } else { nil } }
                ),
                .init(
                    .required("expect", .expectation(within: ScenarioExpectation.defaultLimit), "The expected event."),
                    make: { .expect($0) },
                    take: { if case .expect(let expected) = $0, !expected.isForbidden { expected } else { nil } }
                ),
                .init(
                    .required(
                        "never",
                        .expectation(within: ScenarioExpectation.defaultLimit, isForbidden: true),
                        "The event that must not occur within the time."
                    ),
                    make: { .expect($0) },
                    take: { action in
                        guard case .expect(let event) = action, event.isForbidden else { return nil }
                        return event.unchangedValue == nil ? event : nil
                    }
                ),
                .init(
                    .required("stays", .stays, "The value that must not change."),
                    make: { .expect($0) },
                    take: { action in
                        guard case .expect(let event) = action else { return nil }
                        return event.unchangedValue == nil ? nil : event
                    }
                ),
            ],
            mismatchMessage: "",
            ambiguityError: { keys in
                let names = keys.map { "\"\($0)\"" }.joined(separator: " and ")
                return ObjectError("a step has one action, but this one has \(names); write a step for each")
            },
            defaultValue: .nothing
        )
    }
}

extension Choice<ScenarioStep.Action>.Case {
    /// Returns a case for a key that needs no value: the key has no value, or `true`.
    fileprivate static func keyword(_ key: String, _ deed: ScenarioStep.Action, _ documentation: String) -> Self {
        Self(.required(key, .optionalTrue, documentation), make: { _ in deed }, take: { $0 == deed ? true : nil })
    }

    /// Returns a case for a command on the service that the key names.
    fileprivate static func command(_ command: BehaviorCommand, _ key: String, _ documentation: String) -> Self {
        Self(
            Field<SimulationTarget>.required(key, .target, documentation),
            make: { .perform(.command(command, on: $0)) },
            take: { action in
                guard case .perform(.command(command, let target)) = action else { return nil }
                return target
            }
        )
    }
}

// MARK: Repetitions

extension Format<Int> {
    /// Returns the format of the number of repetitions.
    fileprivate static func repetitions(within depth: Int) -> Format {
        var format = integer(in: Scenario.repetitionRange)
        guard depth >= Scenario.maximumDepth else { return format }
        format.read = { field, reader in
            reader.report(
                field,
                "repetitions are nested more than \(Scenario.maximumDepth) deep; nest fewer of them"
            )
            return nil
        }
        return format
    }
}

extension Format<[ScenarioStep]> {
    /// Returns the format of the steps of a repetition.
    fileprivate static func repeatedSteps(within depth: Int) -> Format {
        var format = list(
            of: .recursive("step") { .step(within: depth + 1) },
            emptyMessage: "there are no steps to repeat; write at least one"
        )
        // The format of the number of repetitions reports the error.
        if depth >= Scenario.maximumDepth { format.read = { _, _ in [] } }
        return format
    }
}
