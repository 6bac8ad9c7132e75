internal import Documents

/// Writes an edited document into its original text, and changes only the lines of what was edited.
///
/// It knows block style with one member or element per line, and flow style, which includes JSON. Where an edit would
/// need more, the smallest part around it that can be written as a whole is written again.
struct DocumentSplicer {
    var lines: SourceLines
    var kinds: LineKinds
    var replacements = TextReplacements()
    let language: DocumentLanguage

    /// Returns the text after an edit, or `nil` if only the whole document can be written.
    ///
    /// - Parameters:
    ///   - bytes: The original text, without a byte order mark.
    ///   - root: The original root of the document.
    ///   - edited: The root after the edit.
    static func text(
        _ bytes: [UInt8],
        root: DocumentNode,
        editedAs edited: EditedNode,
        _ language: DocumentLanguage
    ) -> [UInt8]? {
        guard var lines = SourceLines(bytes, language) else { return nil }
        let kinds = LineKinds(&lines, root: root)
        var splicer = DocumentSplicer(lines: lines, kinds: kinds, language: language)
        guard splicer.apply(edited, lastLine: kinds.lastContent, isFlow: language == .json),
            var text = splicer.replacements.applied(to: splicer.lines.bytes)
        else { return nil }
        if bytes.last != 0x0A, text.last == 0x0A { text.removeLast(splicer.lines.lineEnd.utf8.count) }
        return text
    }

    /// Adds the replacements for a node, or returns `false` if it must be written as a whole.
    ///
    /// - Parameters:
    ///   - lastLine: The last line of the node, if it is in block style.
    ///   - isFlow: Whether the node is within brackets or braces.
    mutating func apply(_ edited: EditedNode, lastLine: Int, isFlow: Bool) -> Bool {
        let count = replacements.count
        let isApplied =
            switch edited {
            case .unchanged: true
            case .new: false
            case .parts(let parts, let node): apply(parts, of: node, lastLine, isFlow)
            }
        if !isApplied { replacements.truncate(to: count) }
        return isApplied
    }

    private mutating func apply(
        _ parts: [EditedNode.Part],
        of node: DocumentNode,
        _ lastLine: Int,
        _ isFlow: Bool
    ) -> Bool {
        let original = node.parts
        guard !original.isEmpty, !parts.isEmpty, let start = lines.offset(of: node.position) else { return false }
        let bracket = node.elements == nil ? UInt8(ascii: "{") : UInt8(ascii: "[")
        if lines.bytes[start] == bracket { return applyInFlow(parts, of: original) }
        return !isFlow && applyInBlock(parts, of: original, lastLine: lastLine)
    }

    /// Returns lines as text.
    func text(_ lines: some Sequence<String>) -> String {
        lines.map { $0 + self.lines.lineEnd }.joined()
    }

    // MARK: Items of both styles

    /// The original items of a map or a list that remain after an edit, and the new items after each of them.
    struct ItemPlan {
        /// The indices of the items that are removed.
        var removed: [Int] = []
        /// The new items, by the index of the original item that they follow.
        var added: [(after: Int, items: [Int])] = []
        /// The last original item that remains.
        let lastKept: Int

        /// Returns `nil` if no original item remains, or if a new item comes first.
        init?(_ indices: [Int?], of count: Int) {
            var previous = -1
            for (position, index) in indices.enumerated() {
                if let index {
                    guard index > previous, index < count else { return nil }
                    removed += (previous + 1)..<index
                    previous = index
                } else {
                    guard previous >= 0 else { return nil }
                    if added.last?.after == previous {
                        added[added.count - 1].items.append(position)
                    } else {
                        added.append((previous, [position]))
                    }
                }
            }
            guard previous >= 0 else { return nil }
            removed += (previous + 1)..<count
            lastKept = previous
        }
    }
}
