internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// The JSON Schema of scenarios, with which editors complete and check them.
///
/// It refuses what a scenario is refused for, as far as a schema can tell: it knows no accessories, and adds no times.
///
/// [JSON Schema 2020-12](https://json-schema.org/draft/2020-12)
package enum ScenarioSchema {
    /// The text of the schema, the same each time.
    package static func json() -> [UInt8] {
        Array(JSONEmitter.text(root).utf8)
    }

    typealias Member = DocumentTree.Member

    private static var root: [Member] {
        [
            .init("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
            .init("title", .text("A scenario")),
            .init("description", .text("What `hap run` and `hap serve --scenario` read; see docs/scenarios.md.")),
            .init("$ref", .text("#/$defs/scenario")),
            .init("$defs", .map(definitions)),
        ]
    }

    private static var definitions: [Member] {
        [
            .init(
                "scenario",
                object(ScenarioKey.allCases.map { .init($0.rawValue, property($0)) }, ["scenario", "steps"])
                    .with("dependentRequired", .inlineMap([.init("start", .list([.text("home")]))]))
            ),
            .init(
                "text",
                .inlineMap([
                    .init("type", .list([.text("string"), .text("number")])), .init("minLength", .number(1)),
                ])
            ),
            .init("value", .inlineMap([.init("type", .list([.text("string"), .text("number"), .text("boolean")]))])),
            .init(
                "limit",
                any([
                    .inlineMap([.init("type", .text("number"))]),
                    AccessorySchema.measured(in: CharacteristicUnit.allCases),
                ])
            ),
            .init(
                "target",
                described("A name such as Garage Door/Target Door State, or an id such as 1.9.", reference("text"))
            ),
            .init(
                "duration",
                pattern("^ *[0-9.]+(d|h|min|m|s|ms)( +[0-9.]+(d|h|min|m|s|ms))* *$", "12s, 5min or 2d 7h 30min.")
            ),
            .init("expectation", expectation),
            .init("step", step),
        ]
    }

    private static func property(_ key: ScenarioKey) -> DocumentTree {
        switch key {
        case .schema: described("Where this schema is.", .inlineMap([.init("type", .text("string"))]))
        case .scenario: described("What people call it.", reference("text"))
        case .summary: described("What it is about.", reference("text"))
        case .serve:
            any([
                reference("text"),
                .inlineMap([
                    .init(
                        "description",
                        .text("The files of what is served, beside this one; without it, the Kilgo garage.")
                    ),
                    .init("type", .text("array")), .init("minItems", .number(1)), .init("items", reference("text")),
                ]),
            ])
        case .home: described("The file of the home whose automations run beside.", reference("text"))
        case .start:
            pattern(
                "^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?$",
                "What the home's calendar and clock show when it begins: 2026-12-24 18:00."
            )
        case .seed:
            .inlineMap([
                .init("description", .text("What chance is drawn from.")), .init("type", .text("integer")),
                .init("minimum", .number(0)),
            ])
        case .steps: steps
        }
    }

    private static var steps: DocumentTree {
        .inlineMap([
            .init("description", .text("What happens, one after the other.")), .init("type", .text("array")),
            .init("minItems", .number(1)), .init("items", reference("step")),
        ])
    }

    private static var step: DocumentTree {
        let waiting: [Member] = [
            .init("name", described("What the step is called in reports.", reference("text"))),
            .init("at", described("So long after the beginning.", reference("duration"))),
            .init("after", described("So long after the step before.", reference("duration"))),
            .init("when", described("What is waited for first.", reference("expectation"))),
        ]
        func doing(_ members: [Member], _ required: [String]) -> DocumentTree { object(waiting + members, required) }
        let target = reference("target")
        let alone = any([.inlineMap([.init("type", .text("null"))]), .inlineMap([.init("const", .flag(true))])])
        return any(
            [
                AccessorySchema.words(["pause", "resume"]),
                doing([], ["at"]), doing([], ["after"]), doing([], ["when"]),
                doing([.init("set", target), .init("to", reference("value"))], ["set", "to"]),
                doing(
                    [.init("press", target), .init("how", AccessorySchema.words(ScenarioWords.presses.map(\.0)))],
                    ["press"]
                ),
                doing([.init("stop", target)], ["stop"]),
                doing([.init("obstruct", target)], ["obstruct"]),
                doing(
                    [
                        .init("clear", .inlineMap([.init("const", .text(ScenarioWords.obstruction))])),
                        .init("on", target),
                    ],
                    ["clear", "on"]
                ),
                doing(
                    [
                        .init(
                            "clear",
                            AccessorySchema.words([ScenarioWords.faults] + FaultCatalogue.definitions.map(\.name))
                        ),
                        .init("on", target),
                    ],
                    ["clear"]
                ),
                doing([.init("advance", reference("duration"))], ["advance"]),
                doing([.init("pause", alone)], ["pause"]),
                doing([.init("resume", alone)], ["resume"]),
                doing([.init("scale", number(0.001, 1_000_000))], ["scale"]),
                doing(
                    [.init("arrive", described("Which user of the home comes.", reference("text")))],
                    ["arrive"]
                ),
                doing([.init("leave", described("Which user of the home goes.", reference("text")))], ["leave"]),
                doing([.init("log", reference("text"))], ["log"]),
                doing(
                    [.init("repeat", integer(Scenario.repetitions)), .init("steps", steps)],
                    ["repeat", "steps"]
                ),
                doing([.init("expect", reference("expectation"))], ["expect"]),
            ] + FaultCatalogue.definitions.map { doing(fault($0), ["fault"]) }
        )
        .with(
            "not",
            .inlineMap([
                .init("type", .text("object")), .init("required", .list([.text("at"), .text("after")])),
            ])
        )
    }

    private static func fault(_ definition: FaultDefinition) -> [Member] {
        var members: [Member] = [
            .init(
                "fault",
                .inlineMap([.init("description", .text(definition.summary)), .init("const", .text(definition.name))])
            ),
            .init("on", reference("target")),
        ]
        if !definition.parameters.isEmpty {
            members.append(
                .init("with", object(definition.parameters.map { .init($0.name, AccessorySchema.parameter($0)) }, []))
            )
        }
        if definition.occurrence.takesCount { members.append(.init("count", integer(1...1_000_000))) }
        if definition.occurrence.takesDuration { members.append(.init("lasting", reference("duration"))) }
        return members
    }

    private static var expectation: DocumentTree {
        let within = Member("within", described("How long it may take.", reference("duration")))
        let tests: [Member] = [.init("becomes", reference("value")), .init("above", real), .init("below", real)]
        let held = tests.map { test in
            object([.init("characteristic", reference("target")), test, within], ["characteristic", test.key])
        }
        let told = tests.map { test in object([.init("event", reference("target")), test, within], ["event"]) }
        let deeds = AccessorySchema.words(ControllerDeed.allCases.map(\.rawValue))
        return any(
            held + told + [
                object([.init("controller", deeds), .init("of", reference("target")), within], ["controller"])
            ]
        )
    }

    // MARK: Parts

    private static var real: DocumentTree { reference("limit") }

    private static func reference(_ name: String) -> DocumentTree { AccessorySchema.reference(name) }
    private static func any(_ schemas: [DocumentTree]) -> DocumentTree { AccessorySchema.any(of: schemas) }

    private static func object(_ properties: [Member], _ required: [String]) -> DocumentTree {
        AccessorySchema.object(properties, required: required)
    }

    private static func described(_ text: String, _ schema: DocumentTree) -> DocumentTree {
        guard case .inlineMap(let members) = schema else { return schema }
        return .inlineMap([.init("description", .text(text))] + members)
    }

    private static func pattern(_ pattern: String, _ description: String) -> DocumentTree {
        .inlineMap([
            .init("description", .text(description)), .init("type", .text("string")), .init("pattern", .text(pattern)),
        ])
    }

    private static func number(_ least: Double, _ greatest: Double) -> DocumentTree {
        .inlineMap([
            .init("type", .text("number")), .init("minimum", .number(JSONNumber(least) ?? 0)),
            .init("maximum", .number(JSONNumber(greatest) ?? 0)),
        ])
    }

    private static func integer(_ range: ClosedRange<Int>) -> DocumentTree {
        .inlineMap([
            .init("type", .text("integer")), .init("minimum", .number(JSONNumber(range.lowerBound))),
            .init("maximum", .number(JSONNumber(range.upperBound))),
        ])
    }
}

extension DocumentTree {
    /// A map with one more member.
    fileprivate func with(_ key: String, _ value: DocumentTree) -> DocumentTree {
        switch self {
        case .map(let members): .map(members + [.init(key, value)])
        case .inlineMap(let members): .inlineMap(members + [.init(key, value)])
        case .text, .word, .number, .flag, .null, .list: self
        }
    }
}
