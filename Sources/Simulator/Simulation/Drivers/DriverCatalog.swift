package import Documents
internal import HAPCore

/// The drivers that a file may name.
///
/// Files, completion, faults, scenarios and documentation follow from it. To add a driver, add one entry here.
package enum DriverCatalog {
    package static let definitions: [DriverDefinition] = [.command, .cast, .chromecast, .airPlay]

    /// Returns the driver with this name in files; `nil` if there is none.
    package static func definition(named name: String) -> DriverDefinition? {
        definitions.first { $0.name == name }
    }
}

extension Format<DriverSetting> {
    /// The file format of a driver: its name with its parameters.
    package static var driver: Format {
        Format(
            schema: schema,
            read: { field, reader in
                let names = DriverCatalog.definitions.map(\.name)
                guard let members = field.node.mapping, let member = members.first, members.count == 1 else {
                    reader.report(
                        field,
                        "an accessory has one driver; write its name with its parameters, such as "
                            + "\"driver: { \(names.first ?? "NAME"): { … } }\""
                    )
                    return nil
                }
                guard let definition = DriverCatalog.definition(named: member.key) else {
                    let nearest = reader.nearest(to: member.key, among: names)
                    reader.report(
                        at: field.location(of: member),
                        "there is no driver \(member.key.quotedForDisplay); write "
                            + (nearest ?? "one of \(names.joined(separator: ", "))")
                    )
                    return nil
                }
                return definition.format.read(field.member(member), &reader)
            },
            write: { .inlineMap([.init($0.name, $0.arguments)]) }
        )
    }

    private static var schema: Schema {
        let definitions = DriverCatalog.definitions
        var schema = Schema(tree: JSONSchema.reference("driver"))
        for definition in definitions {
            schema.definitions.merge(definition.format.schema.definitions) { first, _ in first }
        }
        schema.definitions["driver"] = .map([
            .init("description", "What connects the accessory to something that is not simulated."),
            .init("type", "object"),
            .init(
                "properties",
                .map(
                    definitions.map { definition in
                        .init(
                            definition.name,
                            .map(
                                [.init("description", .text(definition.summary))]
                                    + definition.format.schema.tree.members
                            )
                        )
                    }
                )
            ),
            .init("minProperties", .number(1)),
            .init("maxProperties", .number(1)),
            .init("additionalProperties", .bool(false)),
        ])
        return schema
    }
}
