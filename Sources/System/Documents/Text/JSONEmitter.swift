internal import HAPCore

/// A writer that converts a tree to readable JSON; the same tree always results in the same text.
package enum JSONEmitter {
    /// Returns the text of a map.
    package static func text(_ members: [DocumentTree.Member]) -> String {
        text(.map(members), indentation: "") + "\n"
    }

    /// Returns the text of a value.
    ///
    /// - Parameter indentation: The spaces before the line on which the value begins.
    package static func text(_ value: DocumentTree, indentation: String) -> String {
        switch value {
        case .text(let text), .word(let text): return QuotedText.write(text, as: .json)
        case .number(let number): return number.definitionText
        case .bool(let flag): return flag ? "true" : "false"
        case .null: return "null"
        case .list(let elements) where value.isInline:
            return "[" + elements.map { text($0, indentation: "") }.joined(separator: ", ") + "]"
        case .list(let elements):
            let lines = elements.map { indentation + "  " + text($0, indentation: indentation + "  ") }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indentation)]"
        case .inlineMap(let members):
            return "{ " + members.map { member($0, indentation: "") }.joined(separator: ", ") + " }"
        case .map(let members) where members.isEmpty: return "{}"
        case .map(let members):
            let lines = members.map { indentation + "  " + member($0, indentation: indentation + "  ") }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
        }
    }

    private static func member(_ member: DocumentTree.Member, indentation: String) -> String {
        "\(QuotedText.write(member.key, as: .json)): \(text(member.value, indentation: indentation))"
    }
}
