internal import AccessoryModel
internal import HAPCore
internal import Simulation

/// The JSON Schema of definitions, with which editors complete and check them.
///
/// It follows from the catalogue and from the models that can be simulated. It refuses what a definition is refused for,
/// as far as a schema can tell, and takes names of types only as the catalogue writes them.
///
/// [JSON Schema 2020-12](https://json-schema.org/draft/2020-12)
package enum AccessorySchema {
    /// The text of the schema, the same each time.
    package static func json() -> [UInt8] {
        Array(JSONEmitter.text(root).utf8)
    }

    typealias Member = DefinitionTree.Member

    private static var root: [Member] {
        [
            .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
            .init("title", "A HomeKit accessory, or a bridge with the accessories behind it"),
            .init("description", "What `hap serve` puts on the network; see docs/definitions.md."),
            .init("type", "object"),
            .init(
                "if",
                .inlineMap([
                    .init("properties", .inlineMap([.init("verbatim", .inlineMap([.init("const", .flag(true))]))])),
                    .init("required", .list(["verbatim"])),
                ])
            ),
            .init("then", reference("verbatim")),
            .init(
                "else",
                .map([
                    .init("if", .inlineMap([.init("required", .list(["bridge"]))])),
                    .init("then", reference("bridge")),
                    .init("else", reference("accessory")),
                ])
            ),
            .init("$defs", .map(AccessorySchema.definitions + characteristics)),
        ]
    }

    /// A schema that stands elsewhere.
    static func reference(_ name: String) -> DefinitionTree {
        .inlineMap([.init("$ref", .text("#/$defs/\(name)"))])
    }

    /// A schema on one line.
    static func schema(_ members: Member...) -> DefinitionTree {
        .inlineMap(members)
    }

    /// A schema of which one of several has to hold.
    static func any(of schemas: [DefinitionTree], _ description: String? = nil) -> DefinitionTree {
        .inlineMap([.init("anyOf", .list(schemas))] + described(description))
    }

    /// What people are told of it.
    static func described(_ description: String?) -> [Member] {
        description.map { [.init("description", .text($0))] } ?? []
    }

    /// A map with these keys and no others.
    static func object(
        _ properties: [Member],
        required: [String] = [],
        _ description: String? = nil
    ) -> DefinitionTree {
        var members = described(description)
        members.append(.init("type", "object"))
        members.append(.init("properties", .map(properties)))
        if !required.isEmpty {
            members.append(.init("required", .list(required.map(DefinitionTree.text))))
        }
        members.append(.init("additionalProperties", .flag(false)))
        return .map(members)
    }
}

extension DefinitionTree: ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        self = .text(text)
    }
}
