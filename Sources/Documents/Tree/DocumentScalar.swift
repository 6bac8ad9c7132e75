package import HAPCore

/// One value of a definition's text.
package struct DocumentScalar: Sendable, Hashable {
    /// The meaning of a value, by its written form.
    package enum Meaning: Sendable, Hashable {
        /// Nothing, `null` or `~`.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// A decimal number.
        case number(JSONNumber)
        /// Anything else, and every quoted text.
        case text
    }

    /// The value without quotes.
    package var text: String
    /// The meaning.
    package var meaning: Meaning

    /// Creates a quoted value.
    package init(quoted text: String) {
        self.text = text
        meaning = .text
    }

    /// Creates a value without quotes, and determines its meaning.
    ///
    /// As in YAML 1.2, so that `on` and `yes` are texts; numbers that YAML's versions read differently, such as `010`,
    /// are texts, too.
    package init(plain text: String) {
        self.text = text
        switch text {
        case "", "~", "null", "Null", "NULL": meaning = .null
        case "true", "True", "TRUE": meaning = .bool(true)
        case "false", "False", "FALSE": meaning = .bool(false)
        default: meaning = JSONNumber(decimal: text).map(Meaning.number) ?? .text
        }
    }

    /// A description for messages.
    package var kind: String {
        switch meaning {
        case .null: "nothing"
        case .bool, .number: text
        case .text: text.quotedForDisplay
        }
    }
}
