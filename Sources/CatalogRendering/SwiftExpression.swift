/// Source text that breaks over lines only where 120 columns are not enough, in the house's format.
package indirect enum SwiftExpression: Hashable, Sendable {
    /// Text that is never broken.
    case text(String)
    /// A call with labelled arguments; an empty label is none.
    case call(String, [Argument])
    /// An array literal.
    case array([SwiftExpression])

    /// An argument of a call.
    package struct Argument: Hashable, Sendable {
        /// The label, or nothing.
        package var label: String
        /// The value.
        package var value: SwiftExpression

        /// Creates an argument.
        package init(_ label: String, _ value: SwiftExpression) {
            self.label = label
            self.value = value
        }
    }

    /// A string literal; quotes and backslashes are escaped.
    package static func string(_ text: String) -> SwiftExpression {
        let escaped = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return .text("\"\(String(escaped))\"")
    }

    /// The text on one line.
    package var inline: String {
        switch self {
        case .text(let text): text
        case .call(let name, let arguments):
            "\(name)(\(arguments.map { Self.prefix($0) + $0.value.inline }.joined(separator: ", ")))"
        case .array(let elements): "[\(elements.map(\.inline).joined(separator: ", "))]"
        }
    }

    /// The text where `indentation` columns are indented and `used` are taken on the line, before and after.
    package func rendered(indentation: Int, used: Int) -> String {
        let inline = inline
        guard used + inline.count > 120 else { return inline }
        let margin = String(repeating: " ", count: indentation)
        switch self {
        case .text: return inline
        case .call(let name, let arguments):
            let lines = arguments.map { argument in
                let prefix = Self.prefix(argument)
                return "\(margin)    \(prefix)"
                    + argument.value.rendered(indentation: indentation + 4, used: indentation + 4 + prefix.count + 1)
            }
            return "\(name)(\n\(lines.joined(separator: ",\n"))\n\(margin))"
        case .array(let elements):
            let lines = elements.map {
                "\(margin)    \($0.rendered(indentation: indentation + 4, used: indentation + 5))"
            }
            // The formatter wants the last comma only where there is more than one element.
            let end = elements.count > 1 ? "," : ""
            return "[\n\(lines.joined(separator: ",\n"))\(end)\n\(margin)]"
        }
    }

    private static func prefix(_ argument: Argument) -> String {
        argument.label.isEmpty ? "" : "\(argument.label): "
    }
}

/// Names of the input as Swift identifiers.
package enum SwiftName {
    /// The lower camel case of an id: `CurrentDoorState` gives `currentDoorState`, `ADKVersion` gives `adkVersion`.
    ///
    /// Underscores are left out, so `PM2_5Density` gives `pm25Density`. Reserved words are not escaped.
    package static func lowerCamel(_ id: String) -> String {
        let letters = Array(id.filter { $0 != "_" })
        let capitals = letters.prefix(while: \.isUppercase).count
        let startsAWord = capitals > 1 && capitals < letters.count && letters[capitals].isLowercase
        let lowered = startsAWord ? capitals - 1 : capitals
        return String(letters.prefix(lowered)).lowercased() + String(letters.dropFirst(lowered))
    }

    /// The name where it is declared: a reserved word in backticks.
    package static func declaration(_ name: String) -> String {
        reserved.contains(name) ? "`\(name)`" : name
    }

    private static let reserved: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in",
        "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while",
    ]
}
