internal import HAPCore

/// The JSON Schema of a format, with the definitions that it refers to.
///
/// [JSON Schema 2020-12](https://json-schema.org/draft/2020-12)
package struct Schema: Sendable {
    /// The schema itself.
    package var tree: DocumentTree
    /// The referenced definitions, by name.
    package var definitions: [String: DocumentTree]

    /// Creates a schema from its members.
    package init(_ members: DocumentTree.Member...) {
        self.init(tree: .inlineMap(members))
    }

    package init(tree: DocumentTree, definitions: [String: DocumentTree] = [:]) {
        self.tree = tree
        self.definitions = definitions
    }

    /// Returns a reference to a schema that is defined elsewhere.
    static func reference(_ name: String) -> Schema {
        Schema(tree: JSONSchema.reference(name))
    }

    /// Returns a schema that requires one of several schemas.
    package static func any(of schemas: [Schema]) -> Schema {
        Schema(tree: JSONSchema.any(of: schemas.map(\.tree)), definitions: mergedDefinitions(schemas))
    }

    /// Returns the schema of a list.
    ///
    /// - Parameters:
    ///   - minimum: The minimum number of elements, or `nil` for no limit.
    ///   - maximum: The maximum number of elements, or `nil` for no limit.
    package static func array(of elements: Schema, minimum: Int? = nil, maximum: Int? = nil) -> Schema {
        let limits = [("minItems", minimum), ("maxItems", maximum)]
            .compactMap { key, count in count.map { DocumentTree.Member(key, .number(JSONNumber($0))) } }
        return elements.map { .inlineMap([.init("type", "array"), .init("items", $0)] + limits) }
    }

    /// Returns the schema of a map with these keys and no others.
    package static func object(_ keys: [FieldKey], _ constraints: [DocumentTree] = []) -> Schema {
        let properties = keys.map { key in
            DocumentTree.Member(key.name, key.schema.tree.described(as: key.documentation))
        }
        var tree = JSONSchema.object(properties, required: keys.filter(\.isRequired).map(\.name))
        if !constraints.isEmpty { tree = tree.adding(.init("allOf", .list(constraints))) }
        return Schema(tree: tree, definitions: mergedDefinitions(keys.map(\.schema)))
    }

    /// Returns a reference to this schema, and adds the schema to the definitions under a name.
    package func defined(as name: String) -> Schema {
        var definitions = definitions
        definitions[name] = tree
        return Schema(tree: JSONSchema.reference(name), definitions: definitions)
    }

    /// Returns a schema that is converted from this one.
    package func map(_ make: (DocumentTree) -> DocumentTree) -> Schema {
        Schema(tree: make(tree), definitions: definitions)
    }

    static func mergedDefinitions(_ schemas: [Schema]) -> [String: DocumentTree] {
        schemas.reduce(into: [:]) { $0.merge($1.definitions) { first, _ in first } }
    }

    /// Returns a complete schema file; the same schema always results in the same text.
    ///
    /// - Parameters:
    ///   - title: The kind of file.
    ///   - description: The content of such files, and where they are documented.
    package func fileContents(title: String, _ description: String) -> [UInt8] {
        let heading: [DocumentTree.Member] = [
            .init("$schema", "https://json-schema.org/draft/2020-12/schema"), .init("title", .text(title)),
            .init("description", .text(description)),
        ]
        let sorted = definitions.sorted { $0.key < $1.key }.map { DocumentTree.Member($0.key, $0.value) }
        return Array(JSONEmitter.text(heading + tree.members + [.init("$defs", .map(sorted))]).utf8)
    }
}

extension DocumentTree {
    /// The members of a map; empty for other values.
    package var members: [Member] {
        switch self {
        case .map(let members), .inlineMap(let members): members
        case .text, .word, .number, .bool, .null, .list: []
        }
    }

    /// Returns the map with an additional member.
    func adding(_ member: Member) -> DocumentTree {
        .map(members + [member])
    }

    /// Returns the schema with a description before its other members.
    fileprivate func described(as description: String) -> DocumentTree {
        guard !description.isEmpty else { return self }
        let described = [Member("description", .text(description))] + members
        if case .map = self { return .map(described) }
        return .inlineMap(described)
    }
}
