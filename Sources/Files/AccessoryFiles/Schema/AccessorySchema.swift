internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// The JSON Schema of definitions, for completion and validation in editors.
///
/// It is generated from the tables of keys, the catalog and the simulation models. It rejects what the reader of
/// definitions rejects, as far as a schema can express that, and accepts names of types only in the catalog's form.
package enum AccessorySchema: JSONSchemaSource {
    /// Returns the text of the schema, which is always the same.
    package static func json() -> [UInt8] {
        var roots: [Schema] = []
        /// Returns a reference to the schema of an accessory.
        func reference(_ role: DefinedAccessory.Role, _ name: String, isVerbatim: Bool = false) -> DocumentTree {
            roots.append(DefinedAccessory.format(of: role, isVerbatim: isVerbatim).defined(as: name).schema)
            return self.reference(name)
        }
        func isBridge(then bridge: DocumentTree, else accessory: DocumentTree) -> DocumentTree {
            .map([.init("if", JSONSchema.object(with: "bridge")), .init("then", bridge), .init("else", accessory)])
        }
        let picture = isBridge(
            then: reference(.bridge, "verbatimBridge", isVerbatim: true),
            else: reference(.standalone, "verbatim", isVerbatim: true)
        )
        let definition = isBridge(then: reference(.bridge, "bridge"), else: reference(.standalone, "accessory"))
        _ = reference(.bridged, "bridged")
        _ = reference(.bridged, "verbatimBridged", isVerbatim: true)
        _ = reference(.including, "including")
        let isVerbatim = schema(
            .init("properties", .inlineMap([.init("verbatim", schema(.init("const", .bool(true))))])),
            .init("required", .list(["verbatim"]))
        )
        var root = Schema(
            .init("type", "object"),
            .init("if", isVerbatim),
            .init("then", picture),
            .init("else", definition)
        )
        for schema in roots + [simulate, Format<DriverSetting>.driver.schema] {
            root.definitions.merge(schema.definitions) { first, _ in first }
        }
        for member in characteristics + [.init("serviceType", serviceType)] {
            root.definitions[member.key] = member.value
        }
        return root.fileContents(
            title: "A HomeKit accessory, or a bridge with its accessories",
            "The accessories that a server puts on the network; see docs/definitions.md."
        )
    }

    static let uuidPattern = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"

    private static var serviceType: DocumentTree {
        let ids = Catalog.services.map(\.id)
        let others = Set(Catalog.services.flatMap { [$0.name] + $0.aliases }).subtracting(ids).sorted()
        // Apple's types have a short form, the first group of their UUIDs.
        let short = Catalog.services.compactMap { $0.type.uuid.apple == nil ? nil : $0.type.uuid.shortened }
        let uuid = schema(.init("type", "string"), .init("pattern", .text(uuidPattern)))
        let shortened = schema(
            .init("type", "string"),
            .init("pattern", .text("^0{0,6}(\(short.joined(separator: "|")))$"))
        )
        return any(
            of: [words(ids), words(others), uuid, shortened],
            "A name of Apple's catalog, or a vendor's UUID."
        )
    }

    private static var simulate: Schema {
        let models = SimulationCatalog.models
        let arguments = models.map { Format.arguments(of: $0.parameters).schema }
        let members = zip(models, arguments)
            .map { model, schema in
                Member(
                    model.name,
                    .map(
                        descriptionMembers(model.summary) + [.init("type", .list(["object", "null"]))]
                            + schema.tree.members.filter { $0.key != "type" }
                    )
                )
            }
        let object = schema(
            .init("properties", .map(members)),
            .init("minProperties", .number(1)),
            .init("maxProperties", .number(1)),
            .init("additionalProperties", .bool(false))
        )
        var schema = Schema(tree: reference("simulate"))
        for argument in arguments { schema.definitions.merge(argument.definitions) { first, _ in first } }
        schema.definitions["simulate"] = .map([
            .init("description", "The simulation: auto for the default model of the type, none, or a model."),
            .init("if", self.schema(.init("type", "object"))),
            .init("then", object),
            .init("else", words(["auto", "none"] + models.map(\.name))),
        ])
        return schema
    }
}
