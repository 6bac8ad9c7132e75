internal import AccessoryFiles
internal import Documents
internal import HAPCore
internal import Hosting
internal import Resources

/// A definition to check.
struct DefinitionCheckRequest: Sendable {
    var text: String?
    var values: DocumentTree?
    var file: String?

    static let format = ObjectFormat(
        DefinitionCheckRequest(),
        [
            .optional("text", \.text, .string, "The definition in YAML or JSON; either this or definition."),
            .optional("definition", \.values, .values, "The content with the keys of the text."),
            .optional(
                "file",
                \.file,
                .string,
                "The name of the file in which it will be saved, so that other files can be compared. Default: none."
            ),
        ]
    )
    .requiring(.oneOf("text", "definition"))
    .format()

    func content() throws -> DefinitionContent { try .init(text, values) }
}

/// A file to save.
struct DefinitionSaveRequest: Sendable {
    var text: String?
    var values: DocumentTree?
    var revision: String?
    var keepsCopy = false

    static let format = ObjectFormat(
        DefinitionSaveRequest(),
        [
            .optional("text", \.text, .string, "The definition in YAML or JSON; either this or definition."),
            .optional("definition", \.values, .values, "The content with the keys of the text."),
            .defaulted(
                "revision",
                \.revision,
                .nullable(.string),
                "The revision that was edited; null for a new file. Default: null."
            ),
            .defaulted(
                "keepCopy",
                \.keepsCopy,
                .boolean,
                "Whether the former file remains beside it as NAME.N.bak. Default: false."
            ),
        ]
    )
    .requiring(.oneOf("text", "definition"))
    .format()

    func content() throws -> DefinitionContent { try .init(text, values) }
}

/// A file to convert to definitions.
struct ImportRequest: Sendable {
    var name = ""
    var text: String?
    var data: String?

    static let format = ObjectFormat(
        ImportRequest(),
        [
            .required("name", \.name, .string, "The name of the file, for messages and for a device without a name."),
            .optional("text", \.text, .string, "The content of a text; either this or data."),
            .optional("data", \.data, base64, "The content of a binary file as Base64."),
        ]
    )
    .requiring(.oneOf("text", "data"))
    .format()

    private static let base64 = Format<String>.string
        .schema(
            .init("type", "string"),
            .init("contentEncoding", "base64"),
            .init("pattern", "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$")
        )

    /// Returns the content.
    ///
    /// - Throws: ``Problem`` if there are two or none, or if the Base64 is invalid.
    func bytes() throws -> [UInt8] {
        switch (text, data) {
        case (let text?, nil): return Array(text.utf8)
        case (nil, let data?):
            guard let bytes = Base64.decode(data) else { throw Problem.invalid("The data is not Base64.") }
            return bytes
        case (nil, nil), (_?, _?): throw Problem.invalid("Write the content of the file either as text or as data.")
        }
    }
}

extension DefinitionContent {
    /// Creates the content of a request.
    ///
    /// - Throws: ``Problem`` if there are two contents or none.
    fileprivate init(_ text: String?, _ values: DocumentTree?) throws {
        switch (text, values) {
        case (let text?, nil): self = .text(text)
        case (nil, let values?): self = .values(values)
        case (nil, nil), (_?, _?): throw Problem.invalid("Write the definition either as text or as definition.")
        }
    }
}

extension Format<DocumentTree> {
    /// The values of a definition.
    fileprivate static let values = Format(
        schema: Schema(.init("type", "object")),
        read: { field, reader in
            guard field.node.mapping != nil else {
                reader.report(field, "\(field.node.kind) is not an object; write the keys of the definition")
                return nil
            }
            return DocumentTree(field.node)
        },
        write: { $0 }
    )
}

extension DocumentTree {
    /// The constraint of a schema that an object has exactly one of several keys.
    fileprivate static func oneOf(_ keys: String...) -> DocumentTree {
        .inlineMap([
            .init("oneOf", .list(keys.map { .inlineMap([.init("required", .list([.text($0)]))]) }))
        ])
    }
}
