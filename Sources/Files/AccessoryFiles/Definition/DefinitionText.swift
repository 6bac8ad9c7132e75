package import Documents
internal import HAPCore
internal import YAMLDocuments

/// The text of a definition, together with its content as the author wrote it: nothing is added to it.
package struct DefinitionText: Sendable {
    /// The text.
    package let bytes: [UInt8]
    /// The content, or `nil` if the syntax of the text is invalid.
    package let content: DocumentTree?

    /// Parses a text in YAML or JSON.
    ///
    /// - Parameter name: The name of the file; for `.json`, the text must be JSON.
    package init(_ bytes: [UInt8], name: String) {
        self.bytes = bytes
        var diagnostics = DiagnosticCollector()
        content = TextDocument.read(bytes, in: name, firstKey: "accessory", &diagnostics)
            .map { DocumentTree($0.root.node) }
    }

    /// Writes a content as a text; the same content always results in the same text.
    ///
    /// - Parameters:
    ///   - name: The name of the file; for `.json`, the text is JSON, else YAML.
    ///   - schema: The schema that editors use, relative to the file; `nil` for none.
    package init(_ content: DocumentTree, name: String, schema: String? = nil) {
        self.content = content
        let language: DocumentLanguage = name.lowercased().hasSuffix(".json") ? .json : .yaml
        let members = content.members.filter { $0.key != "$schema" || schema == nil }
        bytes = TextDocument.write(members, as: language, schema: schema)
    }

    /// Whether the text has comments, which are lost when its content is written again.
    ///
    /// A `#` inside a block of text counts as a comment, too. The line that names the schema does not.
    package var hasComments: Bool {
        guard let content, case .map = content else { return false }
        var scan = CommentScan()
        return bytes.dropFirst(schemaLine.count).contains { scan.beginsComment($0) }
    }

    /// The schema that the first line or the first key names for editors.
    package var schema: String? {
        let prefix = schemaLine.prefix(Self.schemaMark.count)
        guard prefix.isEmpty else {
            let name = String(decoding: schemaLine.dropFirst(prefix.count), as: UTF8.self)
            return name.isEmpty ? nil : name
        }
        guard case .text(let name)? = content?.members.first(where: { $0.key == "$schema" })?.value else { return nil }
        return name
    }

    /// The first line if it names the schema.
    private var schemaLine: ArraySlice<UInt8> {
        bytes.starts(with: Self.schemaMark) ? bytes.prefix { $0 != 0x0A && $0 != 0x0D } : []
    }

    private static let schemaMark = Array("# yaml-language-server: $schema=".utf8)
}

extension AccessoryDocument {
    /// The document as the shortest definition, for files of other kinds.
    package var definition: DocumentTree { .map(DefinitionEncoder.members(of: self)) }
}

extension DocumentTree {
    /// Creates the tree of a node, as it was written.
    package init(_ node: DocumentNode) {
        switch node.content {
        case .scalar(let scalar): self.init(scalar)
        case .sequence(let elements): self = .list(elements.map { DocumentTree($0) })
        case .mapping(let members): self = .map(members.map { Member($0.key, DocumentTree($0.value)) })
        }
    }

    private init(_ scalar: DocumentScalar) {
        switch scalar.meaning {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let number): self = .number(number)
        case .text: self = scalar.text.isWord ? .word(scalar.text) : .text(scalar.text)
        }
    }
}

extension String {
    /// Whether the text is a duration or a range, which is written without quotes although it begins like a number.
    fileprivate var isWord: Bool {
        guard let first = utf8.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first || first == UInt8(ascii: "-")
        else {
            return false
        }
        if DurationText.read(self) != nil { return true }
        let bounds = split(separator: "...", omittingEmptySubsequences: false)
        return bounds.count == 2 && bounds.allSatisfy { JSONNumber(decimal: String($0)) != nil }
    }
}

/// A scan of YAML for the beginning of a comment: a `#` after a space or at the start of a line, outside of quotes.
private struct CommentScan {
    private enum State {
        case plain
        case quoted(UInt8)
        case escaped
    }

    private var state = State.plain
    private var previous = UInt8(ascii: "\n")
    /// The previous character that is not a space.
    private var previousMark = UInt8(ascii: "\n")

    mutating func beginsComment(_ byte: UInt8) -> Bool {
        defer {
            previous = byte
            if byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") { previousMark = byte }
        }
        switch state {
        case .plain where byte == UInt8(ascii: "#"): return " \t\n\r".utf8.contains(previous)
        case .plain where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
            // Elsewhere, the quote is part of a text without quotes.
            if ":-?,[{\n\r".utf8.contains(previousMark) { state = .quoted(byte) }
        case .plain: break
        case .quoted(UInt8(ascii: "\"")) where byte == UInt8(ascii: "\\"): state = .escaped
        case .quoted(let quote) where byte == quote: state = .plain
        case .quoted: break
        case .escaped: state = .quoted(UInt8(ascii: "\""))
        }
        return false
    }
}
