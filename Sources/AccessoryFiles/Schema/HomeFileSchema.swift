internal import AccessoryModel
internal import HAPCore
internal import HomeModel

/// The JSON Schema of home files, with which editors complete and check them.
///
/// It refuses what a home file is refused for, as far as a schema can tell: it knows no accessories.
///
/// [JSON Schema 2020-12](https://json-schema.org/draft/2020-12)
package enum HomeFileSchema {
    /// The text of the schema, the same each time.
    package static func json() -> [UInt8] {
        Array(JSONEmitter.text(root).utf8)
    }

    typealias Member = DefinitionTree.Member

    private static var root: [Member] {
        [
            .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
            .init("title", "A home, or several"),
            .init("description", "What `hap home import` and `hap serve --home` read; see docs/homes.md."),
            .init("type", "object"),
            .init("if", .inlineMap([.init("required", .list(["homes"]))])),
            .init("then", reference("homes")),
            .init("else", reference("home")),
            .init("$defs", .map(definitions)),
        ]
    }

    private static var definitions: [Member] {
        [
            .init("homes", object(HomeKey.listing.map { member($0) }, required: ["homes"])),
            .init("home", object(HomeKey.alone.map { member($0) }, required: ["home"])),
            .init("oneOfSeveral", object(HomeKey.several.map { member($0) }, required: ["home"])),
            .init("name", name),
            .init("text", .inlineMap([.init("type", .list(["string", "number"]))])),
            .init("value", .inlineMap([.init("type", .list(["string", "number", "boolean"]))])),
            .init("limit", .inlineMap([.init("type", .list(["string", "number"]))])),
            .init("range", pattern(#"^[-+]?[0-9.eE+-]+\.\.\.[-+]?[0-9.eE+-]+$"#, "Limits included: 18...24.")),
            .init(
                "duration",
                pattern("^ *[0-9.]+(d|h|min|m|s|ms)( +[0-9.]+(d|h|min|m|s|ms))* *$", "12s, 5min or 1h 30min.")
            ),
            .init(
                "date",
                pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?$", "2026-12-24 18:00.")
            ),
            .init("sun", pattern("^(sunrise|sunset)( *[-+−] *.+)?$", "sunset, or sunrise - 30min.")),
            .init(
                "bound",
                pattern("^([0-9]{1,2}:[0-9]{2}(:[0-9]{2})?|(sunrise|sunset)( *[-+−] *.+)?)$", "07:30 or sunset.")
            ),
            .init("days", days),
            .init("placement", placement),
            .init("service", service),
            .init("action", action),
            .init("actions", list(reference("action"), "What is set.")),
            .init("scene", scene),
            .init("automation", automation),
            .init("trigger", trigger),
            .init("test", test(TriggerKey.tests)),
            .init("condition", condition),
            .init("end", end),
            .init("user", user),
        ]
    }

    // MARK: Homes

    private static func member(_ key: HomeKey) -> Member {
        .init(key.rawValue, property(key))
    }

    private static func property(_ key: HomeKey) -> DefinitionTree {
        switch key {
        case .schema: .inlineMap(described("Where this schema is.") + [.init("type", "string")])
        case .home: named("What people call the home.")
        case .homes: list(reference("oneOfSeveral"), "Several homes.", most: HomeLimits.homes)
        case .primary: flag("Whether it is the home that is meant when none is named.")
        case .place:
            object(
                [
                    .init("latitude", degrees(90, "Degrees north of the equator.")),
                    .init("longitude", degrees(180, "Degrees east of Greenwich.")),
                ],
                required: ["latitude", "longitude"],
                "Where it is: the sun needs it."
            )
        case .timeZone:
            .inlineMap(
                described("The IANA's name, such as Europe/Berlin; without it, the machine's.")
                    + [.init("type", "string"), .init("pattern", "^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$")]
            )
        case .rooms: list(reference("name"), "Its rooms.", most: HomeLimits.rooms)
        case .zones: things(list(reference("text"), "Rooms."), "Areas of several rooms, by name.")
        case .accessories: list(reference("placement"), "Its accessories.", most: HomeLimits.accessories)
        case .groups: things(list(reference("text"), "Services."), "Services controlled together, by name.")
        case .scenes: things(reference("scene"), "Actions run together, by name.")
        case .automations: things(reference("automation"), "What happens by itself, by name.")
        case .users: things(reference("user"), "People with access, by name; one of them the owner.")
        }
    }

    private static var name: DefinitionTree {
        .inlineMap([
            .init("type", .list(["string", "number"])), .init("minLength", .number(1)),
            .init("maxLength", .number(JSONNumber(ObjectName.maximumCount))),
            // ASCII's part of the rule: no signs but the apostrophe, none and no space at an end.
            .init("pattern", .text(#"^[^ -/:-@\[-`{-~]([^!-&(-/:-@\[-`{-~]*[^ -/:-@\[-`{-~])?$"#)),
        ])
    }

    private static var placement: DefinitionTree {
        let properties: [Member] = PlacementKey.allCases.map { key in
            let property: DefinitionTree =
                switch key {
                case .accessory: text("The alias of a pairing, or the name of what is served.")
                case .name: named("What it is called here; without it, as there; one that is in the home, as it is.")
                case .room:
                    text("The room that it is in; without it, a new one is in none, and another stays where it is.")
                case .bridge: text("The accessory that it is behind.")
                case .deviceID:
                    .inlineMap(
                        described("Who announces it, where its name does not say which one it is.")
                            + [.init("type", "string"), .init("pattern", "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$")]
                    )
                case .aid:
                    .inlineMap(
                        described("Its number there; without it, 1.")
                            + [.init("type", "integer"), .init("minimum", .number(1))]
                    )
                case .category:
                    any([
                        words(AccessoryCategory.names.map(\.name)),
                        .inlineMap([
                            .init("type", "integer"), .init("minimum", .number(1)), .init("maximum", .number(255)),
                        ]),
                    ])
                case .services:
                    .map(
                        described("Its services, by type, `Type (2)` or name.")
                            + [.init("type", "object"), .init("additionalProperties", reference("service"))]
                    )
                }
            return .init(key.rawValue, property)
        }
        return any([reference("text"), object(properties, required: ["accessory"])])
    }

    private static var service: DefinitionTree {
        any([
            reference("name"),
            object([
                .init(PlacedServiceKey.name.rawValue, named("What people call it.")),
                .init(PlacedServiceKey.room.rawValue, text("The room that it is in; without it, its accessory's.")),
                .init(PlacedServiceKey.type.rawValue, text("Its type, as long as nobody knows the accessory.")),
                .init(
                    PlacedServiceKey.associatedType.rawValue,
                    .inlineMap(
                        described("What an outlet or a switch counts as.")
                            + [.init("enum", .list(AssociatedTypes.allowed.map { .text($0.written) }))]
                    )
                ),
            ]),
        ])
    }

    private static var user: DefinitionTree {
        let roles = words(HomeWords.roles.map(\.0))
        return any([
            roles,
            object(
                [.init("role", roles), .init("remote", flag("Whether they may do it from elsewhere."))],
                required: ["role"]
            ),
        ])
    }

    // MARK: Scenes and automations

    private static var action: DefinitionTree {
        object(
            [
                .init("set", text("Service/Property, such as Garage Light/On.")),
                .init("to", reference("value")),
            ],
            required: ["set", "to"]
        )
    }

    private static var scene: DefinitionTree {
        any([
            reference("actions"),
            object([.init("kind", words(HomeWords.kinds.map(\.0))), .init("actions", reference("actions"))]),
        ])
    }

    private static var automation: DefinitionTree {
        let target = any([
            reference("text"), reference("action"),
            object([.init("scene", text("The scene to run."))], required: ["scene"]),
        ])
        return object(
            [
                .init(AutomationKey.when.rawValue, reference("trigger")),
                .init(AutomationKey.condition.rawValue, reference("condition")),
                .init(AutomationKey.run.rawValue, any([reference("text"), list(target, "Scenes and actions.")])),
                .init(AutomationKey.end.rawValue, reference("end")),
                .init(AutomationKey.enabled.rawValue, flag("Whether it runs at all; without it, it does.")),
            ],
            required: ["when", "run"]
        )
    }

    private static var trigger: DefinitionTree {
        let again: [Member] = [
            .init("on", any([reference("days"), .inlineMap([.init("const", .text(HomeWords.everyDay))])])),
            .init(
                "every",
                pattern("^(day|week|month|year|[0-9]+ (days?|weeks?|months?))$", "3 days, 2 weeks, month, year.")
            ),
        ]
        return any([
            reference("test"),
            object([.init("time", pattern("^[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?$", "07:30."))] + again, required: ["time"]),
            object([.init("date", reference("date"))] + again, required: ["date"]),
            object([.init("sun", reference("sun"))] + again, required: ["sun"]),
            object([.init("presence", words(HomeWords.events.map(\.0)))], required: ["presence"]),
            object([.init("arrives", text("A user."))], required: ["arrives"]),
            object([.init("leaves", text("A user."))], required: ["leaves"]),
            object(
                [.init("interval", reference("duration")), .init("from", reference("date"))],
                required: ["interval"]
            ),
        ])
    }

    /// A characteristic that is held to one thing.
    private static func test(_ keys: [TriggerKey]) -> DefinitionTree {
        any(
            keys.map { key in
                let value: DefinitionTree =
                    switch key {
                    case .becomes: reference("value")
                    case .changes: .inlineMap([.init("const", .flag(true))])
                    case .within: reference("range")
                    default: reference("limit")
                    }
                return object(
                    [.init("characteristic", text("Service/Property.")), .init(key.rawValue, value)],
                    required: ["characteristic", key.rawValue]
                )
            }
        )
    }

    private static var condition: DefinitionTree {
        let properties: [Member] = ConditionKey.allCases.map { key in
            let property: DefinitionTree =
                switch key {
                case .characteristic: text("Service/Property.")
                case .is: reference("value")
                case .above, .below: reference("limit")
                case .within: reference("range")
                case .after, .before: reference("bound")
                case .days: reference("days")
                case .presence: words(HomeWords.states.map(\.0))
                case .home: text("A user who is at home.")
                case .all, .any: list(reference("condition"), "Conditions.")
                case .not: reference("condition")
                }
            return .init(key.rawValue, property)
        }
        guard case .map(let members) = object(properties) else { return object(properties) }
        let tests = ConditionKey.tests.map { DefinitionTree.text($0.rawValue) }
        return .map(
            members + [
                .init("minProperties", .number(1)),
                .init(
                    "dependentRequired",
                    .map(ConditionKey.tests.map { .init($0.rawValue, .list(["characteristic"])) })
                ),
                .init("if", .inlineMap([.init("required", .list(["characteristic"]))])),
                .init(
                    "then",
                    .inlineMap([.init("oneOf", .list(tests.map { .inlineMap([.init("required", .list([$0]))]) }))])
                ),
            ]
        )
    }

    private static var end: DefinitionTree {
        let moments: [Member] = [.init("after", reference("duration")), .init("when", reference("test"))]
        let restores = Member("restore", .inlineMap([.init("const", .flag(true))]))
        func ending(_ member: Member) -> DefinitionTree {
            guard case .map(let members) = object(moments + [member], required: [member.key]) else { return .null }
            return .map(members + [.init("minProperties", .number(2))])
        }
        return any([ending(.init("set", reference("actions"))), ending(restores)])
    }

    private static var days: DefinitionTree {
        let names = Weekday.allCases.flatMap { [$0.name, String($0.name.prefix(3))] }
        let days = words(HomeWords.dayGroups.map(\.0) + names)
        return any([
            days, .inlineMap([.init("type", "array"), .init("minItems", .number(1)), .init("items", days)]),
        ])
    }

    // MARK: Parts

    private static func reference(_ name: String) -> DefinitionTree { AccessorySchema.reference(name) }
    private static func words(_ words: [String]) -> DefinitionTree { AccessorySchema.words(words) }
    private static func any(_ schemas: [DefinitionTree]) -> DefinitionTree { AccessorySchema.any(of: schemas) }
    private static func described(_ text: String) -> [Member] { AccessorySchema.described(text) }

    private static func object(
        _ properties: [Member],
        required: [String] = [],
        _ description: String? = nil
    ) -> DefinitionTree {
        AccessorySchema.object(properties, required: required, description)
    }

    private static func text(_ description: String) -> DefinitionTree {
        .inlineMap(described(description) + [.init("$ref", "#/$defs/text")])
    }

    private static func named(_ description: String) -> DefinitionTree {
        .inlineMap(described(description) + [.init("$ref", "#/$defs/name")])
    }

    private static func flag(_ description: String) -> DefinitionTree {
        .inlineMap(described(description) + [.init("type", "boolean")])
    }

    private static func pattern(_ pattern: String, _ description: String) -> DefinitionTree {
        .inlineMap(described(description) + [.init("type", "string"), .init("pattern", .text(pattern))])
    }

    private static func degrees(_ limit: Int, _ description: String) -> DefinitionTree {
        .inlineMap(
            described(description) + [
                .init("type", "number"), .init("minimum", .number(JSONNumber(-limit))),
                .init("maximum", .number(JSONNumber(limit))),
            ]
        )
    }

    private static func list(_ element: DefinitionTree, _ description: String, most: Int? = nil) -> DefinitionTree {
        .inlineMap(
            described(description) + [.init("type", "array"), .init("items", element)]
                + (most.map { [.init("maxItems", .number(JSONNumber($0)))] } ?? [])
        )
    }

    private static func things(_ thing: DefinitionTree, _ description: String) -> DefinitionTree {
        .map(
            described(description) + [
                .init("type", "object"), .init("propertyNames", reference("name")),
                .init("additionalProperties", thing),
            ]
        )
    }
}
