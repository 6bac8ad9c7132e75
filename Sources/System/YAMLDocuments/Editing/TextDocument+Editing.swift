package import Documents

extension TextDocument {
    /// Returns the text of a document after an edit.
    ///
    /// What is not edited stays as it is written, with its comments, quotes and blank lines. If the text cannot be edited
    /// in place, the whole document is written again, and loses its comments except for those at its beginning.
    ///
    /// - Parameters:
    ///   - bytes: The original text, which can be read.
    ///   - root: The original root of the document.
    ///   - edited: The root after the edit.
    package static func text(
        _ bytes: [UInt8],
        root: DocumentNode,
        editedAs edited: EditedNode,
        _ language: DocumentLanguage
    ) -> [UInt8] {
        let mark: [UInt8] = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.prefix(3)) : []
        let original = Array(bytes.dropFirst(mark.count))
        let tree = edited.tree(in: language)
        if let text = DocumentSplicer.text(original, root: root, editedAs: edited, language) {
            var diagnostics = DiagnosticCollector()
            let read = TextDocument.read(text, in: "", firstKey: "", &diagnostics)
            if let read, !diagnostics.hasErrors, read.language == language, tree.matches(read.root.node) {
                return mark + text
            }
        }
        return mark + text(tree.members, replacing: original, language)
    }

    /// Returns the text of a whole document that replaces another one.
    private static func text(
        _ members: [DocumentTree.Member],
        replacing original: [UInt8],
        _ language: DocumentLanguage
    ) -> [UInt8] {
        let text = String(decoding: original, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        let heading = lines.prefix { line in
            line.first { $0 != " " && $0 != "\t" }.map { $0 == "#" } ?? true
        }
        let written =
            language == .json
            ? JSONEmitter.text(members)
            : YAMLEmitter.text(members, below: heading.isEmpty ? nil : heading.joined(separator: "\n"))
        return Array(written.withLineEnds(text.contains("\r\n") ? "\r\n" : "\n").utf8)
    }
}
