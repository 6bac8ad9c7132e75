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
