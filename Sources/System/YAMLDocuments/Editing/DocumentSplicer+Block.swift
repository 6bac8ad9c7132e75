internal import Documents

// Edits of maps and lists in block style.
extension DocumentSplicer {
    /// An item in block style.
    private struct Item {
        /// The offset of the key or of the dash.
        let start: Int
        /// The line of the key or of the dash.
        let line: Int
        /// The last line with content of the item.
        var lastLine: Int
    }

    mutating func applyInBlock(
        _ parts: [EditedNode.Part],
        of original: [DocumentNode.Part],
        lastLine: Int
    ) -> Bool {
        let starts = original.compactMap { part in
            part.key == nil ? dash(before: part.value) : lines.offset(of: part.position)
        }
        guard let plan = DocumentSplicer.ItemPlan(parts.map(\.index), of: original.count),
            let (items, indentation) = items(at: starts, count: original.count, lastLine: lastLine)
        else { return false }
        for part in parts {
            guard let index = part.index else { continue }
            let item = items[index]
            if let key = part.key, key != original[index].key {
                guard let end = keyEnd(from: item.start, isFlow: false) else { return false }
                replacements.replace(item.start..<end, with: YAMLScalar.key(key))
            }
            if !apply(part.value, lastLine: item.lastLine, isFlow: false) {
                guard replaceValue(of: original[index], item, with: part, indentation) else { return false }
            }
        }
        let written = parts.map { part in
            part.index == nil
                ? YAMLEmitter.lines(part.key, part.value.tree(in: language), indentation: indentation) : []
        }
        return addAndRemove(plan, items, indentation.utf8.count, written)
    }

    // MARK: Items

    /// Returns the items, or `nil` if they are not on lines of their own in the same column.
    private mutating func items(
        at starts: [Int],
        count: Int,
        lastLine: Int
    ) -> (items: [Item], indentation: String)? {
        guard starts.count == count, let first = starts.first else { return nil }
        let firstLine = lines.line(at: first)
        let column = first - lines.range(ofLine: firstLine).lowerBound
        // The first member of a map in a list follows the dash.
        let isFirstBare = lines.bytes[lines.range(ofLine: firstLine).lowerBound..<first]
            .allSatisfy { SourceLines.isBlank($0) || $0 == UInt8(ascii: "-") }
        guard isFirstBare, lastLine >= firstLine else { return nil }
        var items: [Item] = []
        for start in starts {
            let line = lines.line(at: start)
            guard start - lines.range(ofLine: line).lowerBound == column else { return nil }
            if let last = items.last {
                guard line > last.line, line <= lastLine, lines.indentation(before: start) != nil else { return nil }
                items[items.count - 1].lastLine = kinds.content(from: last.line, through: line - 1)
            }
            items.append(Item(start: start, line: line, lastLine: line))
        }
        items[items.count - 1].lastLine = kinds.content(from: items[items.count - 1].line, through: lastLine)
        return (items, String(repeating: " ", count: column))
    }

    /// Returns the offset of the dash before an element, or `nil` if it is not on the same line.
    private mutating func dash(before element: DocumentNode) -> Int? {
        guard var offset = lines.offset(of: element.position) else { return nil }
        let start = lines.range(ofLine: lines.line(at: offset)).lowerBound
        while offset > start, SourceLines.isBlank(lines.bytes[offset - 1]) { offset -= 1 }
        return offset > start && lines.bytes[offset - 1] == UInt8(ascii: "-") ? offset - 1 : nil
    }

    /// - Parameter written: The lines of the new items, by their positions after the edit.
    private mutating func addAndRemove(
        _ plan: ItemPlan,
        _ items: [Item],
        _ column: Int,
        _ written: [[String]]
    ) -> Bool {
        let count = items.count
        let isSpaced = count > 1 && kinds.hasBlank(after: items[count - 2].lastLine, before: items[count - 1].line)
        for (after, added) in plan.added {
            // New items come after the last one, and among the others there are no blank lines.
            let isLast = plan.lastKept == after
            let line = isLast ? items[count - 1].lastLine : items[after].lastLine
            let added = added.flatMap { (isSpaced && isLast ? [""] : []) + written[$0] }
            let end = lines.range(ofLine: line).upperBound
            replacements.replace(end..<end, with: text(added))
        }
        for index in plan.removed {
            let item = items[index]
            // The first member of a map in a list shares its line with the dash.
            guard lines.indentation(before: item.start) != nil else { return false }
            let limit = index == 0 ? -1 : items[index - 1].lastLine
            // The comments at the beginning of a file are about the file.
            let first =
                index == 0 && column == 0
                ? item.line : kinds.commentStart(above: item.line, column: column, after: limit)
            var last = item.lastLine
            if kinds.isBlank(first - 1), kinds.isBlank(last + 1) { last += 1 }
            replacements.replace(lines.range(ofLines: first...last), with: "")
        }
        return true
    }

    // MARK: Values

    /// Returns the end of a key that a colon follows, or `nil` for other keys.
    func keyEnd(from start: Int, isFlow: Bool) -> Int? {
        let refused = [UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "!")]
        guard start < lines.bytes.count, !refused.contains(lines.bytes[start]) else { return nil }
        return lines.valueEnd(from: start, isFlow: isFlow)
    }

    /// Returns the offset after the colon of a key in block style.
    private func colonEnd(after key: Int) -> Int? {
        guard var offset = keyEnd(from: key, isFlow: false) else { return nil }
        while offset < lines.bytes.count, SourceLines.isBlank(lines.bytes[offset]) { offset += 1 }
        return offset < lines.bytes.count && lines.bytes[offset] == UInt8(ascii: ":") ? offset + 1 : nil
    }

    private mutating func replaceValue(
        of original: DocumentNode.Part,
        _ item: Item,
        with part: EditedNode.Part,
        _ indentation: String
    ) -> Bool {
        var written = YAMLEmitter.lines(part.key, part.value.tree(in: language), indentation: indentation)
        let head = indentation + (part.key.map { YAMLScalar.key($0) + ":" } ?? "-")
        let headEnd = part.key == nil ? item.start + 1 : colonEnd(after: item.start)
        guard let headEnd, written[0].hasPrefix(head) else { return false }
        let first = String(written.removeFirst().dropFirst(head.count))
        let isEmpty = original.value.scalar.map { $0.meaning == .null && $0.text.isEmpty } ?? false
        guard !isEmpty else {
            let end = lines.range(ofLine: item.line).upperBound
            replacements.replace(headEnd..<headEnd, with: first)
            replacements.replace(end..<end, with: text(written))
            return true
        }
        guard let start = lines.offset(of: original.value.position), start >= headEnd else { return false }
        let line = lines.line(at: start)
        if line == item.line {
            return replace(from: headEnd, start, item, with: first, written)
        }
        // The comments directly above a part that is removed are about that part.
        let column = start - lines.range(ofLine: line).lowerBound
        let removed = written.isEmpty ? kinds.commentStart(above: line, column: column, after: item.line) : line
        replacements.replace(headEnd..<headEnd, with: first)
        replacements.replace(lines.range(ofLines: removed...max(line, item.lastLine)), with: text(written))
        return true
    }

    /// Replaces a value that begins on the line of its key or dash.
    ///
    /// - Parameters:
    ///   - head: The end of the colon or the dash.
    ///   - start: The beginning of the value.
    ///   - first: The new text for the rest of the line.
    ///   - further: The lines below it.
    private mutating func replace(
        from head: Int,
        _ start: Int,
        _ item: Item,
        with first: String,
        _ further: [String]
    ) -> Bool {
        let valueEnd = lines.valueEnd(from: start, isFlow: false)
        let hasProperties = [UInt8(ascii: "&"), UInt8(ascii: "!")].contains(lines.bytes[start])
        // The anchor of a map in block style is on another line than the map.
        guard valueEnd != nil || !hasProperties else { return false }
        var end = lines.textEnd(ofLine: item.lastLine)
        if let valueEnd {
            let last = lines.line(at: valueEnd - 1)
            let rest = lines.bytes[valueEnd..<max(valueEnd, lines.range(ofLine: last).upperBound)]
                .first { !SourceLines.isBlank($0) && !SourceLines.isLineEnd($0) }
            // Otherwise the value is a map that begins on this line, or a text that continues on the next one.
            if last == item.lastLine, rest == nil || rest == UInt8(ascii: "#") { end = valueEnd }
        }
        guard end >= head else { return false }
        replacements.replace(head..<end, with: first)
        let next = lines.range(ofLine: lines.line(at: end - 1)).upperBound
        replacements.replace(next..<next, with: text(further))
        return true
    }
}
