internal import Documents
internal import HAPCore
internal import Yams

/// Writes a tree as YAML; the same tree always gives the same text.
struct YAMLEmitter {
    private var lines: [String] = []
    /// The maximum length of a line with a list.
    private static let maximumWidth = 100

    /// Returns the text of a map, after an optional first line.
    static func text(_ members: [DocumentTree.Member], below heading: String?) -> String {
        var emitter = YAMLEmitter()
        emitter.lines = [heading].compactMap(\.self)
        emitter.write(members, indentation: "")
        return emitter.lines.joined(separator: "\n") + "\n"
    }

    /// Returns the lines of a key with its value, or of a list element with its dash if there is no key.
    static func lines(_ key: String?, _ value: DocumentTree, indentation: String) -> [String] {
        var emitter = YAMLEmitter()
        if let key {
            emitter.write([.init(key, value)], indentation: indentation)
        } else {
            emitter.write(element: value, indentation: indentation)
        }
        return emitter.lines
    }

    private mutating func write(_ members: [DocumentTree.Member], indentation: String, first: String? = nil) {
        for (position, member) in members.enumerated() {
            let start = (position == 0 ? first : nil) ?? indentation
            let head = start + YAMLScalar.key(member.key) + ":"
            write(member.value, after: head, indentation: indentation)
        }
    }

    private mutating func write(_ value: DocumentTree, after head: String, indentation: String) {
        if value.isInline {
            let line = head + " " + Self.inline(value)
            guard case .list(let elements) = value, elements.count > 1, line.count > Self.maximumWidth else {
                lines.append(line)
                return
            }
        }
        lines.append(head)
        switch value {
        case .map(let members): write(members, indentation: indentation + "  ")
        case .list(let elements):
            for element in elements { write(element: element, indentation: indentation + "  ") }
        case .text, .word, .number, .bool, .null, .inlineMap: break
        }
    }

    private mutating func write(element: DocumentTree, indentation: String) {
        if case .map(let members) = element, !members.isEmpty {
            write(members, indentation: indentation + "  ", first: indentation + "- ")
        } else {
            lines.append(indentation + "- " + Self.inline(element))
        }
    }

    /// Returns the text of a value on one line.
    static func inline(_ value: DocumentTree) -> String {
        switch value {
        case .text(let text): YAMLScalar.text(text)
        case .word(let word): word
        case .number(let number): number.definitionText
        case .bool(let flag): flag ? "true" : "false"
        case .null: "null"
        case .list(let elements): "[" + elements.map(inline).joined(separator: ", ") + "]"
        case .map(let members), .inlineMap(let members):
            members.isEmpty
                ? "{}"
                : "{ " + members.map { "\(YAMLScalar.key($0.key)): \(inline($0.value))" }.joined(separator: ", ") + " }"
        }
    }
}
