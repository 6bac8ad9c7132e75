internal import HAPCore

/// What a definition is written from, whether as YAML or as JSON.
indirect enum DefinitionTree: Sendable {
    /// A text, in quotes where it would be taken for something else.
    case text(String)
    /// A text that begins like a number and is none, such as `0...10` or `12s`.
    case word(String)
    /// A number.
    case number(JSONNumber)
    /// True or false.
    case flag(Bool)
    /// Nothing.
    case null
    /// Values in a row.
    case list([DefinitionTree])
    /// Values by name, a line each.
    case map([Member])
    /// Values by name, on one line.
    case inlineMap([Member])

    /// A name with its value.
    struct Member: Sendable {
        var key: String
        var value: DefinitionTree

        init(_ key: String, _ value: DefinitionTree) {
            self.key = key
            self.value = value
        }
    }

    /// Whether it is written on one line.
    var isInline: Bool {
        switch self {
        case .text, .word, .number, .flag, .null, .inlineMap: true
        case .list(let elements): elements.allSatisfy(\.isInline)
        case .map(let members): members.isEmpty
        }
    }
}

extension JSONNumber {
    /// The number as every version of YAML and as JSON takes it for one.
    var definitionText: String {
        let text = description
        guard let exponent = text.firstIndex(of: "e"), !text.contains(".") else { return text }
        return text[..<exponent] + ".0" + text[exponent...]
    }
}
