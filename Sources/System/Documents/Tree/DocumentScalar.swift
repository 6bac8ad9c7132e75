package import HAPCore

/// A single value in the text of a document.
package struct DocumentScalar: Sendable, Hashable {
    /// The meaning of a scalar, which follows from its written form.
    package enum Meaning: Sendable, Hashable {
        /// An empty text, `null` or `~`.
        case null
        /// The word `true` or `false`.
        case bool(Bool)
        /// A decimal number.
        case number(JSONNumber)
        /// Any other text, and every text in quotes.
        case text
    }

    /// The text, without quotes.
    package var text: String
    /// The meaning of the text.
    package var meaning: Meaning

    /// Creates a scalar that was written in quotes.
    package init(quoted text: String) {
        self.text = text
        meaning = .text
    }

    /// Creates a scalar that was written without quotes.
    ///
    /// The meaning is that of YAML 1.2, so `on` and `yes` are texts. Numbers that the versions of YAML read
    /// differently, such as `010`, are texts, too.
    package init(plain text: String) {
        self.text = text
        switch text {
        case "", "~", "null", "Null", "NULL": meaning = .null
        case "true", "True", "TRUE": meaning = .bool(true)
        case "false", "False", "FALSE": meaning = .bool(false)
        default: meaning = JSONNumber(decimal: text).map(Meaning.number) ?? .text
        }
    }

    /// A description of the scalar for messages.
    package var kind: String {
        switch meaning {
        case .null: "an empty value"
        case .bool, .number: text
        case .text: text.quotedForDisplay
        }
    }
}
