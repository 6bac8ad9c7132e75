internal import AccessoryModel
internal import HAPCore
internal import HomeModel

extension HomeFileSchema {
    static func member(_ key: HomeKey) -> Member {
        .init(key.rawValue, property(key))
    }

    static func property(_ key: HomeKey) -> DefinitionTree {
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

    static var name: DefinitionTree {
        .inlineMap([
            .init("type", .list(["string", "number"])), .init("minLength", .number(1)),
            .init("maxLength", .number(JSONNumber(ObjectName.maximumCount))),
            // ASCII's part of the rule: no signs but the apostrophe, none and no space at an end.
            .init("pattern", .text(#"^[^ -/:-@\[-`{-~]([^!-&(-/:-@\[-`{-~]*[^ -/:-@\[-`{-~])?$"#)),
        ])
    }

    static var placement: DefinitionTree {
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
                    any(of: [
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
        return any(of: [reference("text"), object(properties, required: ["accessory"])])
    }

    static var service: DefinitionTree {
        any(of: [
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

    static var user: DefinitionTree {
        let roles = words(HomeWords.roles.map(\.0))
        return any(of: [
            roles,
            object(
                [.init("role", roles), .init("remote", flag("Whether they may do it from elsewhere."))],
                required: ["role"]
            ),
        ])
    }
}
