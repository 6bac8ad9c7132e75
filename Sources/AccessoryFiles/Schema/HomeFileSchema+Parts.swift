internal import HAPCore

extension HomeFileSchema {
    /// A text or a number, and what it is.
    static func text(_ description: String) -> DefinitionTree {
        .inlineMap(described(description) + [.init("$ref", "#/$defs/text")])
    }

    /// A name for people, and of what.
    static func named(_ description: String) -> DefinitionTree {
        .inlineMap(described(description) + [.init("$ref", "#/$defs/name")])
    }

    /// `true` or `false`, and what that means.
    static func flag(_ description: String) -> DefinitionTree {
        .inlineMap(described(description) + [.init("type", "boolean")])
    }

    /// A text that looks like this, with an example.
    static func pattern(_ pattern: String, _ description: String) -> DefinitionTree {
        .inlineMap(described(description) + [.init("type", "string"), .init("pattern", .text(pattern))])
    }

    /// Degrees, from one limit to the other.
    static func degrees(_ limit: Int, _ description: String) -> DefinitionTree {
        .inlineMap(
            described(description) + [
                .init("type", "number"), .init("minimum", .number(JSONNumber(-limit))),
                .init("maximum", .number(JSONNumber(limit))),
            ]
        )
    }

    /// Things in a row, and which.
    static func list(_ element: DefinitionTree, _ description: String, most: Int? = nil) -> DefinitionTree {
        .inlineMap(
            described(description) + [.init("type", "array"), .init("items", element)]
                + (most.map { [.init("maxItems", .number(JSONNumber($0)))] } ?? [])
        )
    }

    /// Things by name, and which.
    static func things(_ thing: DefinitionTree, _ description: String) -> DefinitionTree {
        .map(
            described(description) + [
                .init("type", "object"), .init("propertyNames", reference("name")),
                .init("additionalProperties", thing),
            ]
        )
    }
}
