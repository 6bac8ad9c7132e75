extension Span<UInt8> {
    /// Returns whether these bytes are the ASCII of a text.
    func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for position in text.indices where self[position] != text[position] {
                return false
            }
            return true
        }
    }

    /// Returns whether these bytes are the UTF-8 of a text.
    func isEqual(to text: String.UTF8View) -> Bool {
        // A loop over the characters of a string takes forty instructions for each.
        let text = text.span
        guard count == text.count else { return false }
        for position in indices where self[position] != text[position] { return false }
        return true
    }

    /// Returns whether these bytes are the ASCII of a text in any letter case.
    func isEqual(ignoringCase text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for position in text.indices where self[position].asciiLowercased != text[position].asciiLowercased {
                return false
            }
            return true
        }
    }
}

extension UInt8 {
    /// The lower-case letter for an upper-case one; every other byte unchanged.
    fileprivate var asciiLowercased: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }
}

extension [UInt8] {
    /// Appends the ASCII of a text without creating a `String`.
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
