internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

/// The JSON Schema of definitions, with which editors complete and check them.
///
/// It follows from the catalogue and from the models that can be simulated. It refuses what a definition is refused for,
/// as far as a schema can tell, and takes names of types only as the catalogue writes them.
///
/// [JSON Schema 2020-12](https://json-schema.org/draft/2020-12)
package enum AccessorySchema: JSONSchemaSource {
    /// The text of the schema, the same each time.
    package static func json() -> [UInt8] {
        Array(JSONEmitter.text(root).utf8)
    }

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
            .init("$defs", .map(definitions + characteristics)),
        ]
    }
}
