internal import Documents

/// The kinds of the lines of a YAML text: which of them have content, and which are comments or blank.
struct LineKinds {
    private enum Kind {
        case blank
        case comment(column: Int)
        case content
    }

    private var kinds: [Kind] = []
    /// The last line with content of the document; the end mark of the document does not count.
    private(set) var lastContent = 0

    init(_ lines: inout SourceLines, root: DocumentNode) {
        for line in 0..<lines.count {
            let first = lines.firstVisible(ofLine: line)
            if SourceLines.isLineEnd(lines.bytes[first]) {
                kinds.append(.blank)
            } else if lines.bytes[first] == UInt8(ascii: "#") {
                kinds.append(.comment(column: first - lines.range(ofLine: line).lowerBound))
            } else {
                kinds.append(.content)
            }
        }
        markContinuations(of: root, &lines)
        var end = lines.count - 1
        for line in (root.position.line - 1)..<max(lines.count, root.position.line - 1) {
            let text = lines.bytes[lines.range(ofLine: line)]
            if text.starts(with: Array("...".utf8))
                || text.starts(with: Array("---".utf8)) && line >= root.position.line
            {
                end = line - 1
                break
            }
        }
        lastContent = content(from: root.position.line - 1, through: end)
    }

    /// Marks the further lines of values with several lines, some of which may look like comments.
    private mutating func markContinuations(of node: DocumentNode, _ lines: inout SourceLines) {
        guard let start = lines.offset(of: node.position) else { return }
        switch lines.bytes[start] {
        case UInt8(ascii: "*"): return
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            let first = node.position.line - 1
            let indentation = lines.firstVisible(ofLine: first) - lines.range(ofLine: first).lowerBound
            var line = first + 1
            while line < lines.count {
                let visible = lines.firstVisible(ofLine: line)
                let isBlank = SourceLines.isLineEnd(lines.bytes[visible])
                guard isBlank || visible - lines.range(ofLine: line).lowerBound > indentation else { break }
                if !isBlank { kinds[line] = .content }
                line += 1
            }
            return
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"),
            UInt8(ascii: "!"):
            // A key in quotes begins a map, whose members are visited below.
            if node.scalar != nil || [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(lines.bytes[start]),
                let end = lines.valueEnd(from: start, isFlow: false)
            {
                let last = lines.line(at: end - 1)
                for line in node.position.line..<max(last + 1, node.position.line) { kinds[line] = .content }
                return
            }
        default: break
        }
        switch node.content {
        case .scalar: break
        case .sequence(let elements): for element in elements { markContinuations(of: element, &lines) }
        case .mapping(let members): for member in members { markContinuations(of: member.value, &lines) }
        }
    }

    /// Returns the last line with content from a line through another one; the first line always counts.
    func content(from first: Int, through last: Int) -> Int {
        var line = min(last, kinds.count - 1)
        while line > first {
            if case .content = kinds[line] { return line }
            line -= 1
        }
        return first
    }

    /// Returns the first line of the comments directly above a line, in the same column, or the line itself.
    ///
    /// - Parameter limit: The last line that does not count.
    func commentStart(above line: Int, column: Int, after limit: Int) -> Int {
        var start = line
        while start - 1 > limit, case .comment(column: column) = kinds[start - 1] { start -= 1 }
        return start
    }

    /// Returns whether there is a blank line between two lines.
    func hasBlank(after first: Int, before last: Int) -> Bool {
        guard first + 1 < last else { return false }
        return (first + 1..<last).contains { isBlank($0) }
    }

    /// Returns whether a line is blank.
    func isBlank(_ line: Int) -> Bool {
        guard kinds.indices.contains(line), case .blank = kinds[line] else { return false }
        return true
    }
}
