internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

extension AccessorySchema {
    /// What accessories, services and models may be.
    static var definitions: [Member] {
        [
            .init("accessory", object(serverProperties(AccessoryKey.alone), required: ["accessory", "services"])),
            .init("bridge", object(serverProperties(AccessoryKey.bridging), required: ["bridge", "accessories"])),
            .init("bridged", object(properties(AccessoryKey.bridged), required: ["accessory", "services"])),
            .init("included", object(properties(AccessoryKey.including), required: ["include"])),
            .init("verbatim", verbatim),
            .init("verbatimAccessory", object(verbatimProperties(AccessoryKey.bridged), required: ["accessory"])),
            .init("service", object(serviceProperties(isVerbatim: false), required: ["type"])),
            .init("verbatimService", object(serviceProperties(isVerbatim: true), required: ["type"])),
            .init("serviceType", serviceType),
            .init("simulate", simulate),
            .init("iid", identifier("The instance id; without it, the one that it had, or the next free one.")),
            .init("verbatimID", integer(1...(.max), "The id that the device has.")),
            .init("uuid", schema(.init("type", "string"), .init("pattern", .text(uuidPattern)))),
            .init(
                "duration",
                .map(
                    described("Such as 250ms, 12s, 5min or 1h.")
                        + Format<Duration>.duration(in: .upToADay).schema.tree.members
                )
            ),
        ]
    }

    static let uuidPattern = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"

    private static func identifier(_ description: String) -> DocumentTree {
        integer(1...DefinitionSession.maximumID, description)
    }

    private static func integer(_ range: ClosedRange<UInt64>, _ description: String) -> DocumentTree {
        .inlineMap(
            described(description) + [
                .init("type", "integer"), .init("minimum", .number(.unsigned(range.lowerBound))),
                .init("maximum", .number(.unsigned(range.upperBound))),
            ]
        )
    }

    /// A text; the reader takes a number for one, too.
    static func text(
        _ length: ClosedRange<Int>? = nil,
        _ description: String? = nil,
        pattern: String? = nil
    ) -> DocumentTree {
        var members = described(description)
        members.append(.init("type", .list(["string", "number"])))
        if let length {
            // Lengths are in bytes here, and in characters there.
            members.append(.init("minLength", .number(JSONNumber(min(length.lowerBound, 1)))))
            members.append(.init("maxLength", .number(JSONNumber(length.upperBound))))
        }
        if let pattern {
            members.append(.init("pattern", .text(pattern)))
        }
        return .inlineMap(members)
    }

    static func flag(_ description: String) -> DocumentTree {
        .inlineMap(described(description) + [.init("type", "boolean")])
    }

    static func list(of element: DocumentTree, _ description: String) -> DocumentTree {
        .inlineMap(described(description) + [.init("type", "array"), .init("items", element)])
    }

    private static func properties(_ keys: [AccessoryKey]) -> [Member] {
        keys.map { .init($0.rawValue, property($0)) }
    }

    /// The keys of a server's first accessory.
    private static func serverProperties(_ keys: [AccessoryKey]) -> [Member] {
        keys.map { key in
            let property: DocumentTree =
                switch key {
                case .aid: integer(1...1, "The accessory id: of a server's first accessory, 1.")
                // A bridge may have no more than it is given.
                case .services where keys.contains(.accessories): services(0...AttributeDatabase.maximumServices)
                default: property(key)
                }
            return .init(key.rawValue, property)
        }
    }

    private static func services(_ count: ClosedRange<Int>) -> DocumentTree {
        var members = described("What the accessory does.")
        members.append(.init("type", "array"))
        if count.lowerBound > 0 {
            members.append(.init("minItems", .number(JSONNumber(count.lowerBound))))
        }
        members.append(.init("maxItems", .number(JSONNumber(count.upperBound))))
        members.append(.init("items", reference("service")))
        return .inlineMap(members)
    }

    private static func property(_ key: AccessoryKey) -> DocumentTree {
        switch key {
        case .schema: schema(.init("description", "Where this schema is."), .init("type", "string"))
        case .accessory: text(1...64, "The name of the accessory, 1 to 64 bytes.")
        case .bridge: text(1...64, "The name of the bridge, 1 to 64 bytes.")
        case .include: text(nil, "The file of the accessory, relative to this one.")
        case .name: text(1...64, "The name, in the place of the one in the file.")
        case .id: text(1...255, "What tells it from others, across renames; without it, the name.")
        case .serverID: text(1...255, "What the server's state is kept under; without it, the id.")
        case .category:
            any(
                of: [words(AccessoryCategory.names.map(\.name)), integer(1...255, "The number of a category.")],
                "What a controller takes it for while it pairs; without it, follows from the first service."
            )
        case .manufacturer: text(0...64, "Who makes it, at most 64 bytes; without it, hap.")
        case .model: text(1...64, "What it is to its maker, 1 to 64 bytes; without it, the name of its first service.")
        case .serialNumber: text(2...64, "2 to 64 bytes; without it, made from the id.")
        case .firmware:
            text(nil, "The version as x, x.y or x.y.z; without it, 1.0.0.", pattern: "^[0-9]+(\\.[0-9]+){0,2}$")
        case .setupCode: setupCode
        case .setupID:
            text(nil, "Four digits or capital letters; without it, a random one, kept.", pattern: "^[0-9A-Z]{4}$")
        case .deviceID:
            text(
                nil,
                "XX:XX:XX:XX:XX:XX at the first start; without it, a random one, kept.",
                pattern: "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$"
            )
        case .configuration: integer(1...65_535, "The configuration number at the first start.")
        case .aid: identifier("The accessory id; without it, 1 for the first, then the next free one.")
        case .ids:
            words(
                ["kept", "fixed"],
                "Ids that are not written: kept from before, or fixed as the next ones in the order of the file."
            )
        case .verbatim: flag("Whether it is served as it stands, faults included, with nothing added.")
        case .services: services(1...AttributeDatabase.maximumServices)
        case .accessories:
            .inlineMap(
                described("The accessories behind the bridge.") + [
                    .init("type", "array"), .init("minItems", .number(1)), .init("maxItems", .number(149)),
                    .init(
                        "items",
                        .inlineMap([
                            .init("if", schema(.init("required", .list(["include"])))),
                            .init("then", reference("included")), .init("else", reference("bridged")),
                        ])
                    ),
                ]
            )
        }
    }

    private static var setupCode: DocumentTree {
        let forbidden = (0...9).map { "\($0)\($0)\($0)-\($0)\($0)-\($0)\($0)\($0)" } + ["123-45-678", "876-54-321"]
        return .inlineMap(
            described("XXX-XX-XXX; without it, a random one, kept.") + [
                .init("type", "string"), .init("pattern", "^[0-9]{3}-[0-9]{2}-[0-9]{3}$"),
                .init("not", words(forbidden)),
            ]
        )
    }

    private static var verbatim: DocumentTree {
        .map([
            .init("description", "A picture of a real device: served as it stands, with nothing added or corrected."),
            .init("type", "object"),
            .init(
                "properties",
                .map(
                    verbatimProperties(AccessoryKey.alone + [.bridge]) + [
                        .init(
                            AccessoryKey.accessories.rawValue,
                            list(of: reference("verbatimAccessory"), "The accessories behind the bridge.")
                        )
                    ]
                )
            ),
            .init(
                "anyOf",
                .list([
                    schema(.init("required", .list(["accessory", "services"]))),
                    schema(.init("required", .list(["bridge", "accessories"]))),
                ])
            ),
            .init("additionalProperties", .flag(false)),
        ])
    }

    private static func verbatimProperties(_ keys: [AccessoryKey]) -> [Member] {
        keys.filter { !AccessoryKey.ofInformation.contains($0) }
            .map { key in
                let property =
                    switch key {
                    case .accessory, .bridge: text(nil, "The name.")
                    case .id: text(nil, "What tells it from others, across renames; without it, the name.")
                    case .serverID: text(nil, "What the server's state is kept under; without it, the id.")
                    case .services: list(of: reference("verbatimService"), "What the accessory does.")
                    case .aid: reference("verbatimID")
                    default: property(key)
                    }
                return .init(key.rawValue, property)
            }
    }

    private static func serviceProperties(isVerbatim: Bool) -> [Member] {
        ServiceField.allCases.map { field in
            let property: DocumentTree =
                switch field {
                case .type: reference("serviceType")
                case .name where isVerbatim: text(nil, "The characteristic Name.")
                case .id where isVerbatim: text(nil, "Tells services of one type apart; without it, the name.")
                case .name: text(0...64, "The characteristic Name, at most 64 bytes.")
                case .id: text(0...255, "Tells services of one type apart, across edits; without it, the name.")
                case .iid: reference(isVerbatim ? "verbatimID" : "iid")
                case .primary: flag("Whether it is the accessory's main service; one at most.")
                case .hidden: flag("Whether people do not see it.")
                case .linked: linked
                case .simulate: reference("simulate")
                case .complete: flag("Whether the characteristics are added that its type requires; true without it.")
                case .characteristics: reference(isVerbatim ? "verbatimCharacteristics" : "characteristics")
                }
            return .init(field.rawValue, property)
        }
    }

    private static var linked: DocumentTree {
        let exact = DocumentTree.inlineMap([
            .init("type", "object"),
            .init("properties", .inlineMap([.init("type", reference("serviceType")), .init("id", text())])),
            .init("required", .list(["type"])), .init("additionalProperties", .flag(false)),
        ])
        return list(
            of: any(of: [text(), exact]),
            "Services of this accessory that belong with it: each an id, a name, or a type that occurs once."
        )
    }

    private static var serviceType: DocumentTree {
        let ids = Catalogue.services.map(\.id)
        let others = Set(Catalogue.services.flatMap { [$0.name] + $0.aliases }).subtracting(ids).sorted()
        return .map([
            .init("description", "A name of Apple's catalogue, see `hap types`, or a vendor's UUID."),
            .init(
                "anyOf",
                .list([words(ids), words(others), reference("uuid"), shortUUIDs(Catalogue.services.map(\.type.uuid))])
            ),
        ])
    }

    /// Apple's types by the first group of their UUIDs.
    static func shortUUIDs(_ uuids: [HAPUUID]) -> DocumentTree {
        let texts = uuids.compactMap { $0.apple == nil ? nil : $0.shortened }
        return schema(.init("type", "string"), .init("pattern", .text("^0{0,6}(\(texts.joined(separator: "|")))$")))
    }

    private static var simulate: DocumentTree {
        let models = SimulationCatalogue.models
        let parameters = models.map { model -> Member in
            var members = described(model.summary)
            members.append(.init("type", .list(["object", "null"])))
            members.append(.init("properties", .map(model.parameters.map { .init($0.name, parameter($0)) })))
            members.append(.init("additionalProperties", .flag(false)))
            return .init(model.name, .map(members))
        }
        return .map([
            .init("description", "What moves its values: the behaviour of its type, nothing, or a model."),
            .init("if", schema(.init("type", "object"))),
            .init(
                "then",
                .map([
                    .init("properties", .map(parameters)), .init("minProperties", .number(1)),
                    .init("maxProperties", .number(1)), .init("additionalProperties", .flag(false)),
                ])
            ),
            .init("else", words(["auto", "none"] + models.map(\.name))),
        ])
    }

    private static func parameter(_ parameter: SimulationParameter) -> DocumentTree {
        .inlineMap(described(parameter.summary) + Format.argument(parameter).schema.tree.members)
    }
}
