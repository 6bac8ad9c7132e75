internal import Documents

// Edits of maps and lists in flow style, which includes JSON.
extension DocumentSplicer {
    /// An item in flow style.
    private struct Item {
        /// The range from the beginning of the key or element to the end of the value.
        let range: Range<Int>
        /// The beginning of the value.
        let valueStart: Int
    }

    mutating func applyInFlow(_ parts: [EditedNode.Part], of original: [DocumentNode.Part]) -> Bool {
        let items = original.compactMap { part in
            lines.offset(of: part.position).flatMap { item(from: $0, part.value) }
        }
        guard items.count == original.count else { return false }
        for part in parts {
            guard let index = part.index, items.indices.contains(index) else { continue }
            if let key = part.key, key != original[index].key {
                let start = items[index].range.lowerBound
                guard let end = keyEnd(from: start, isFlow: true) else { return false }
                replacements.replace(start..<end, with: writer.text(key: key))
            }
            replaceIfNeeded(part.value, items[index])
        }
        let writer = writer
        return addAndRemove(parts.map(\.index), items) { position, indentation in
            let part = parts[position]
            return writer.text(part.key, part.value.tree(in: writer.language), indentation: indentation)
        }
    }

    private mutating func replaceIfNeeded(_ value: EditedNode, _ item: Item) {
        if !apply(value, lastLine: 0, isFlow: true) {
            let line = lines.range(ofLine: lines.line(at: item.valueStart)).lowerBound
            let visible = lines.firstVisible(ofLine: lines.line(at: item.valueStart))
            let indentation = String(decoding: lines.bytes[line..<visible], as: UTF8.self)
            let text = writer.text(value.tree(in: language), indentation: indentation)
            replacements.replace(item.valueStart..<item.range.upperBound, with: text)
        }
    }

    private mutating func item(from start: Int, _ value: DocumentNode) -> Item? {
        guard let valueStart = lines.offset(of: value.position), valueStart >= start,
            let end = lines.valueEnd(from: valueStart, isFlow: true)
        else { return nil }
        return Item(range: start..<end, valueStart: valueStart)
    }

    private mutating func addAndRemove(
        _ indices: [Int?],
        _ items: [Item],
        text: (_ position: Int, _ indentation: String) -> String
    ) -> Bool {
        guard let plan = ItemPlan(indices, of: items.count),
            zip(items, items.dropFirst())
                .allSatisfy({ $0.range.upperBound <= $1.range.lowerBound })
        else { return false }
        let last = plan.lastKept
        for (after, added) in plan.added {
            let item = items[after]
            let indentation = lines.indentation(before: item.range.lowerBound)
            let separator = indentation.map { "," + lines.lineEnd + $0 } ?? ", "
            let texts = added.map { separator + text($0, indentation ?? "") }
            replacements.replace(item.range.upperBound..<item.range.upperBound, with: texts.joined())
        }
        for index in plan.removed where index < last {
            replacements.replace(items[index].range.lowerBound..<items[index + 1].range.lowerBound, with: "")
        }
        if last < items.count - 1 {
            let end = items[items.count - 1].range.upperBound
            replacements.replace(items[last].range.upperBound..<end, with: "")
        }
        return true
    }

    private var writer: FlowWriter { FlowWriter(language: language, lineEnd: lines.lineEnd) }
}

/// A writer of values in flow style.
private struct FlowWriter {
    let language: DocumentLanguage
    let lineEnd: String

    func text(key: String) -> String {
        language == .json ? JSONEmitter.text(.text(key), indentation: "") : YAMLScalar.key(key)
    }

    func text(_ tree: DocumentTree, indentation: String) -> String {
        language == .json
            ? JSONEmitter.text(tree, indentation: indentation).withLineEnds(lineEnd) : YAMLEmitter.inline(tree)
    }

    func text(_ key: String?, _ value: DocumentTree, indentation: String) -> String {
        (key.map { text(key: $0) + ": " } ?? "") + text(value, indentation: indentation)
    }
}

extension String {
    /// Returns the text with other line ends.
    func withLineEnds(_ lineEnd: String) -> String {
        lineEnd == "\n" ? self : split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineEnd)
    }
}
