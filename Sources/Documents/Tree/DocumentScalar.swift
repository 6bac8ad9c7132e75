package import HAPCore

/// One value of a definition's text.
package struct DocumentScalar: Sendable, Hashable {
    /// What a value is, by how it is written.
    package enum Meaning: Sendable, Hashable {
        /// Nothing, `null` or `~`.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// A decimal number.
        case number(JSONNumber)
        /// Anything else, and everything in quotes.
        case text
    }

    /// The value without quotes.
    package var text: String
    /// What it is.
    package var meaning: Meaning

    /// Takes a value that stands in quotes.
    package init(quoted text: String) {
        self.text = text
        meaning = .text
    }

    /// Takes a value that stands without quotes, and finds out what it is.
    ///
    /// As YAML 1.2 has it, so that `on` and `yes` are texts; and so are numbers that YAML's versions read differently,
    /// such as `010`.
    package init(plain text: String) {
        self.text = text
        switch text {
        case "", "~", "null", "Null", "NULL": meaning = .null
        case "true", "True", "TRUE": meaning = .bool(true)
        case "false", "False", "FALSE": meaning = .bool(false)
        default: meaning = JSONNumber(decimal: text).map(Meaning.number) ?? .text
        }
    }

    /// What it is, for people.
    package var kind: String {
        switch meaning {
        case .null: "nothing"
        case .bool, .number: text
        case .text: text.quotedForDisplay
        }
    }
}
