extension JSONNumber {
    /// Parses a number in JSON's form; `nil` for anything else.
    package init?(parsing text: String) {
        guard text.utf8.count <= 64, let number = (try? JSONValue(parsing: Array(text.utf8)))?.number else {
            return nil
        }
        self = number
    }
}

extension JSONValue {
    /// The number, even if it is written as a string; `nil` for every other kind of value.
    package var numericValue: JSONNumber? {
        number ?? string.flatMap { JSONNumber(parsing: $0) }
    }
}

extension JSONNumber {
    /// Parses a decimal number in everyday forms: `-12`, `+5`, `0.5`, `1e3`, also `.5` and `1.`.
    ///
    /// Integers of 64 bits are exact. Returns `nil` for anything else, and for a leading zero: YAML's versions read
    /// `010` differently.
    package init?(decimal text: String) {
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
