package import Documents

/// The language of a document.
package enum DocumentLanguage: Sendable, Hashable {
    case json
    case yaml
}

/// Reads and writes the content of documents in YAML or JSON; it does not open files.
package enum TextDocument {
    /// Parses a text in YAML or JSON into its root and its language; returns `nil` if it cannot be parsed.
    ///
    /// - Parameters:
    ///   - bytes: The content; at most 1 MiB.
    ///   - file: The name of the file, for messages.
    ///   - firstKey: The first key of such a text, for messages.
    ///   - diagnostics: Receives the errors.
    package static func read(
        _ bytes: [UInt8],
        in file: String,
        firstKey: String,
        _ diagnostics: inout DiagnosticCollector
    ) -> (root: DocumentField, language: DocumentLanguage)? {
        guard let bytes = DocumentText.validated(bytes, in: file, &diagnostics) else { return nil }
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "{") {
            var faults = diagnostics
            if let root = JSONDocumentParser.compose(bytes, in: file, &faults) {
                diagnostics = faults
                return (DocumentField(file: file, node: root), .json)
            }
            guard !file.lowercased().hasSuffix(".json") else {
                diagnostics = faults
                return nil
            }
            // The text may also be YAML, in which a map can begin with a brace, too.
        }
        return YAMLComposer.compose(bytes, in: file, firstKey: firstKey, &diagnostics)
            .map { (DocumentField(file: file, node: $0), .yaml) }
    }

    /// Reads a value from a text in YAML or JSON.
    ///
    /// - Throws: ``DocumentError`` with all errors and their lines.
    package static func read<Value>(
        _ format: Format<Value>,
        from bytes: [UInt8],
        in file: String,
        firstKey: String
    ) throws(DocumentError) -> Value {
        var reader = DocumentReader()
        let value = read(bytes, in: file, firstKey: firstKey, &reader.diagnostics)
            .flatMap { format.read($0.root, &reader) }
        if value == nil, !reader.diagnostics.hasErrors {
            reader.diagnostics.report(in: file, at: nil, "the file is empty; write \"\(firstKey): …\"")
        }
        return try reader.result(value)
    }

    /// Returns the text of a tree in a readable form; the same tree always results in the same text.
    ///
    /// - Parameter schema: The schema that editors use, relative to the file; `nil` for none.
    package static func write(
        _ members: [DocumentTree.Member],
        as language: DocumentLanguage,
        schema: String?
    ) -> [UInt8] {
        switch language {
        case .json:
            Array(JSONEmitter.text((schema.map { [.init("$schema", .text($0))] } ?? []) + members).utf8)
        case .yaml:
            Array(YAMLEmitter.text(members, below: schema.map { "# yaml-language-server: $schema=\($0)" }).utf8)
        }
    }

    /// Returns the text of a part of a document as YAML: a map, a list or a single value.
    package static func write(_ part: DocumentTree) -> [UInt8] {
        switch part {
        case .map(let members) where !members.isEmpty: write(members, as: .yaml, schema: nil)
        case .list(let elements) where !elements.isEmpty:
            Array(
                elements.flatMap { YAMLEmitter.lines(nil, $0, indentation: "") }.map { "\($0)\n" }.joined().utf8
            )
        default: Array((YAMLEmitter.inline(part) + "\n").utf8)
        }
    }
}
