internal import HAPCore

/// One value of a definition's text.
struct DefinitionScalar: Sendable, Hashable {
    /// What a value is, by how it is written.
    enum Meaning: Sendable, Hashable {
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
    var text: String
    /// What it is.
    var meaning: Meaning

    /// Takes a value that stands in quotes.
    init(quoted text: String) {
        self.text = text
        meaning = .text
    }

    /// Takes a value that stands without quotes, and finds out what it is.
    ///
    /// As YAML 1.2 has it, so that `on` and `yes` are texts; and so are numbers that YAML's versions read differently,
    /// such as `010`.
    init(plain text: String) {
        self.text = text
        switch text {
        case "", "~", "null", "Null", "NULL": meaning = .null
        case "true", "True", "TRUE": meaning = .bool(true)
        case "false", "False", "FALSE": meaning = .bool(false)
        default: meaning = JSONNumber(definition: text).map(Meaning.number) ?? .text
        }
    }

    /// What it is, for people.
    var kind: String {
        switch meaning {
        case .null: "nothing"
        case .bool, .number: text
        case .text: text.quotedForPeople
        }
    }
}

extension JSONNumber {
    /// Reads a decimal number, `nil` for anything else: `-12`, `0.5`, `1e3`, and with a bare point `.5` and `1.`.
    ///
    /// Integers of 64 bits are exact. No number begins with a zero before another digit.
    init?(definition text: String) {
        let bytes = Array(text.utf8)
        var position = 0
        func digits() -> Int {
            let start = position
            while position < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] { position += 1 }
            return position - start
        }
        func take(_ characters: StaticString) -> Bool {
            guard position < bytes.count else { return false }
            let isTaken = characters.withUTF8Buffer { $0.contains(bytes[position]) }
            position += isTaken ? 1 : 0
            return isTaken
        }
        _ = take("+-")
        let start = position
        let whole = digits()
        if whole > 1, bytes[start] == UInt8(ascii: "0") { return nil }
        var isInteger = true
        var fraction = 0
        if take(".") {
            isInteger = false
            fraction = digits()
        }
        guard whole + fraction > 0 else { return nil }
        if take("eE") {
            isInteger = false
            _ = take("+-")
            guard digits() > 0 else { return nil }
        }
        guard position == bytes.count else { return nil }
        if isInteger, let number = UInt64(text) {
            self = .unsigned(number)
        } else if isInteger, let number = Int64(text) {
            self.init(number)
        } else {
            guard let real = Double(text).flatMap({ JSONNumber($0) }) else { return nil }
            self = real
        }
    }
}
