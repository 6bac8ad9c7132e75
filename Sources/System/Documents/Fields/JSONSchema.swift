/// A type that creates JSON Schemas from their parts.
///
/// [JSON Schema 2020-12](https://json-schema.org/draft/2020-12)
package protocol JSONSchemaSource {}

/// A namespace for the functions that create parts of schemas.
package enum JSONSchema: JSONSchemaSource {}

extension JSONSchemaSource {
    package typealias Member = DocumentTree.Member

    /// Returns a reference to a schema.
    package static func reference(_ name: String) -> DocumentTree {
        .inlineMap([.init("$ref", .text("#/$defs/\(name)"))])
    }

    /// Returns a schema that is written on one line.
    package static func schema(_ members: Member...) -> DocumentTree {
        .inlineMap(members)
    }

    /// Returns a schema that requires one of several schemas.
    package static func any(of schemas: [DocumentTree], _ description: String? = nil) -> DocumentTree {
        .inlineMap([.init("anyOf", .list(schemas))] + descriptionMembers(description))
    }

    /// Returns the members for a description.
    package static func descriptionMembers(_ description: String?) -> [Member] {
        description.map { [.init("description", .text($0))] } ?? []
    }

    /// Returns the schema of a map with these keys and no others.
    package static func object(
        _ properties: [Member],
        required: [String] = [],
        _ description: String? = nil
    ) -> DocumentTree {
        var members = descriptionMembers(description)
        members.append(.init("type", "object"))
        members.append(.init("properties", .map(properties)))
        if !required.isEmpty {
            members.append(.init("required", .list(required.map(DocumentTree.text))))
        }
        members.append(.init("additionalProperties", .bool(false)))
        return .map(members)
    }

    /// Returns the schema of one of these words.
    package static func words(_ words: [String], _ description: String? = nil) -> DocumentTree {
        .inlineMap(descriptionMembers(description) + [.init("enum", .list(words.map(DocumentTree.text)))])
    }
}

extension DocumentTree: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        self = .text(text)
    }
}
