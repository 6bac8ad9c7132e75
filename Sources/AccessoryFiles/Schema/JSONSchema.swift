/// What makes a JSON Schema, with what schemas are made of.
///
/// [JSON Schema 2020-12](https://json-schema.org/draft/2020-12)
protocol JSONSchema {}

extension JSONSchema {
    typealias Member = DefinitionTree.Member

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

    /// One of these words.
    static func words(_ words: [String], _ description: String? = nil) -> DefinitionTree {
        .inlineMap(described(description) + [.init("enum", .list(words.map(DefinitionTree.text)))])
    }
}

extension DefinitionTree: ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        self = .text(text)
    }
}
