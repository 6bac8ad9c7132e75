package import HAPCore

/// The content of a document that will be written as YAML or JSON.
package indirect enum DocumentTree: Sendable, Hashable {
    /// A text; it is written in quotes if it could be read as another kind of value.
    case text(String)
    /// A text that begins like a number but is not one, such as `0...10` or `12s`.
    case word(String)
    /// A number.
    case number(JSONNumber)
    /// A Boolean.
    case bool(Bool)
    /// The value `null`.
    case null
    /// A list of values.
    case list([DocumentTree])
    /// A map with one member per line.
    case map([Member])
    /// A map on one line.
    case inlineMap([Member])

    /// A key with its value.
    package struct Member: Sendable, Hashable {
        package var key: String
        package var value: DocumentTree

        package init(_ key: String, _ value: DocumentTree) {
            self.key = key
            self.value = value
        }
    }

    /// Creates the value that a reader reads for a text without quotes: a number, a Boolean or the text.
    package init(scalar text: String) {
        switch text {
        case "true": self = .bool(true)
        case "false": self = .bool(false)
        default:
            let number = JSONNumber(decimal: text).flatMap { $0.definitionText == text ? $0 : nil }
            self = number.map { .number($0) } ?? .text(text)
        }
    }

    /// Creates the tree of a JSON value.
    package init(_ json: JSONValue) {
        switch json {
        case .bool(let flag): self = .bool(flag)
        case .number(let number): self = .number(number)
        case .string(let text): self = .text(text)
        case .null: self = .null
        case .array(let elements): self = .list(elements.map { DocumentTree($0) })
        case .object(let object): self = .map(object.members.map { Member($0.key, DocumentTree($0.value)) })
        }
    }

    /// Whether the value is written on one line.
    package var isInline: Bool {
        switch self {
        case .text, .word, .number, .bool, .null, .inlineMap: true
        case .list(let elements): elements.allSatisfy(\.isInline)
        case .map(let members): members.isEmpty
        }
    }
}

extension JSONNumber {
    /// The number in a form that every version of YAML and JSON reads as a number.
    package var definitionText: String {
        let text = description
        guard let exponent = text.firstIndex(of: "e"), !text.contains(".") else { return text }
        return text[..<exponent] + ".0" + text[exponent...]
    }
}
