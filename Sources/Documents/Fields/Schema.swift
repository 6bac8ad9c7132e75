/// The JSON Schema of a format, with the definitions that it refers to.
///
/// [JSON Schema 2020-12](https://json-schema.org/draft/2020-12)
package struct Schema: Sendable {
    /// The schema itself.
    package var tree: DocumentTree
    /// The referenced definitions by name.
    package var definitions: [String: DocumentTree]

    /// Creates a schema from its members.
    package init(_ members: DocumentTree.Member...) {
        self.init(tree: .inlineMap(members))
    }

    package init(tree: DocumentTree, definitions: [String: DocumentTree] = [:]) {
        self.tree = tree
        self.definitions = definitions
    }

    /// A schema that is defined elsewhere.
    static func reference(_ name: String) -> Schema {
        Schema(tree: JSONSchema.reference(name))
    }

    /// Returns a schema that requires one of several.
    static func any(of schemas: [Schema]) -> Schema {
        Schema(tree: JSONSchema.any(of: schemas.map(\.tree)), definitions: mergedDefinitions(schemas))
    }

    /// A map with these keys and no others.
    static func object(_ keys: [FieldKey], _ constraints: [DocumentTree] = []) -> Schema {
        let properties = keys.map { key in
            DocumentTree.Member(key.name, key.schema.tree.described(as: key.documentation))
        }
        var tree = JSONSchema.object(properties, required: keys.filter(\.isRequired).map(\.name))
        if !constraints.isEmpty { tree = tree.adding(.init("allOf", .list(constraints))) }
        return Schema(tree: tree, definitions: mergedDefinitions(keys.map(\.schema)))
    }

    /// Returns a reference to this schema, which is defined under a name.
    func defined(as name: String) -> Schema {
        var definitions = definitions
        definitions[name] = tree
        return Schema(tree: JSONSchema.reference(name), definitions: definitions)
    }

    /// A schema that is made of this one.
    package func map(_ make: (DocumentTree) -> DocumentTree) -> Schema {
        Schema(tree: make(tree), definitions: definitions)
    }

    static func mergedDefinitions(_ schemas: [Schema]) -> [String: DocumentTree] {
        schemas.reduce(into: [:]) { $0.merge($1.definitions) { first, _ in first } }
    }

    /// Returns a complete schema file; the same text each time.
    ///
    /// - Parameters:
    ///   - title: The kind of file.
    ///   - description: The reader of such files, and their documentation.
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
    /// The members of a map; none for other values.
    package var members: [Member] {
        switch self {
        case .map(let members), .inlineMap(let members): members
        case .text, .word, .number, .bool, .null, .list: []
        }
    }

    /// A map with another member.
    func adding(_ member: Member) -> DocumentTree {
        .map(members + [member])
    }

    /// A schema with a description in front.
    fileprivate func described(as description: String) -> DocumentTree {
        guard !description.isEmpty else { return self }
        let described = [Member("description", .text(description))] + members
        if case .map = self { return .map(described) }
        return .inlineMap(described)
    }
}
