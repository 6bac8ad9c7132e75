/// Swift source text that is broken into lines only if it exceeds 120 columns, as `swift format` does.
indirect enum SwiftExpression: Hashable, Sendable {
    /// Text that is never broken into lines.
    case text(String)
    /// A call with labelled arguments; an empty label means no label.
    case call(String, [Argument])
    /// An array literal.
    case array([SwiftExpression])

    /// An argument of a call.
    struct Argument: Hashable, Sendable {
        /// The label, or an empty text if there is none.
        var label: String
        /// The value.
        var value: SwiftExpression

        /// Creates an argument.
        init(_ label: String, _ value: SwiftExpression) {
            self.label = label
            self.value = value
        }
    }

    /// Returns a string literal with escaped quotes and backslashes.
    static func string(_ text: String) -> SwiftExpression {
        let escaped = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return .text("\"\(String(escaped))\"")
    }

    /// The text on one line.
    var inline: String {
        switch self {
        case .text(let text): text
        case .call(let name, let arguments):
            "\(name)(\(arguments.map { Self.prefix($0) + $0.value.inline }.joined(separator: ", ")))"
        case .array(let elements): "[\(elements.map(\.inline).joined(separator: ", "))]"
        }
    }

    /// Returns the text, broken into lines if it does not fit.
    ///
    /// - Parameters:
    ///   - indentation: The number of columns by which the line is indented.
    ///   - used: The number of columns that are already used on the line, before and after the text.
    func rendered(indentation: Int, used: Int) -> String {
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
            // The formatter requires a trailing comma only if there is more than one element.
            let end = elements.count > 1 ? "," : ""
            return "[\n\(lines.joined(separator: ",\n"))\(end)\n\(margin)]"
        }
    }

    private static func prefix(_ argument: Argument) -> String {
        argument.label.isEmpty ? "" : "\(argument.label): "
    }
}

/// A namespace for functions that convert names of the input to Swift identifiers.
enum SwiftName {
    /// Returns the lower camel case of an id: `currentDoorState` for `CurrentDoorState`, `adkVersion` for `ADKVersion`.
    ///
    /// Underscores are removed, so `PM2_5Density` becomes `pm25Density`. Reserved words are not escaped.
    static func lowerCamel(_ id: String) -> String {
        let letters = Array(id.filter { $0 != "_" })
        let capitals = letters.prefix(while: \.isUppercase).count
        let startsAWord = capitals > 1 && capitals < letters.count && letters[capitals].isLowercase
        let lowered = startsAWord ? capitals - 1 : capitals
        return String(letters.prefix(lowered)).lowercased() + String(letters.dropFirst(lowered))
    }

    /// Returns the name for a declaration, with backticks around a reserved word.
    static func declaration(_ name: String) -> String {
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
