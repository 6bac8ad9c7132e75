internal import AccessoryModel
internal import HAPCore
internal import HomeModel

extension HomeFileSchema {
    static var action: DefinitionTree {
        object(
            [
                .init("set", text("Service/Property, such as Garage Light/On.")),
                .init("to", reference("value")),
            ],
            required: ["set", "to"]
        )
    }

    static var scene: DefinitionTree {
        any(of: [
            reference("actions"),
            object([.init("kind", words(HomeWords.kinds.map(\.0))), .init("actions", reference("actions"))]),
        ])
    }

    static var automation: DefinitionTree {
        let target = any(of: [
            reference("text"), reference("action"),
            object([.init("scene", text("The scene to run."))], required: ["scene"]),
        ])
        return object(
            [
                .init(AutomationKey.when.rawValue, reference("trigger")),
                .init(AutomationKey.condition.rawValue, reference("condition")),
                .init(AutomationKey.run.rawValue, any(of: [reference("text"), list(target, "Scenes and actions.")])),
                .init(AutomationKey.end.rawValue, reference("end")),
                .init(AutomationKey.enabled.rawValue, flag("Whether it runs at all; without it, it does.")),
            ],
            required: ["when", "run"]
        )
    }

    static var trigger: DefinitionTree {
        let again: [Member] = [
            .init("on", any(of: [reference("days"), .inlineMap([.init("const", .text(HomeWords.everyDay))])])),
            .init(
                "every",
                pattern("^(day|week|month|year|[0-9]+ (days?|weeks?|months?))$", "3 days, 2 weeks, month, year.")
            ),
        ]
        return any(of: [
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
    static func test(_ keys: [TriggerKey]) -> DefinitionTree {
        any(
            of:
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

    static var condition: DefinitionTree {
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

    static var end: DefinitionTree {
        let moments: [Member] = [.init("after", reference("duration")), .init("when", reference("test"))]
        let restores = Member("restore", .inlineMap([.init("const", .flag(true))]))
        func ending(_ member: Member) -> DefinitionTree {
            guard case .map(let members) = object(moments + [member], required: [member.key]) else { return .null }
            return .map(members + [.init("minProperties", .number(2))])
        }
        return any(of: [ending(.init("set", reference("actions"))), ending(restores)])
    }

    static var days: DefinitionTree {
        let names = Weekday.allCases.flatMap { [$0.name, String($0.name.prefix(3))] }
        let days = words(HomeWords.dayGroups.map(\.0) + names)
        return any(of: [
            days, .inlineMap([.init("type", "array"), .init("minItems", .number(1)), .init("items", days)]),
        ])
    }
}
