extension Span<UInt8> {
    /// Whether these bytes are the ASCII of a text.
    func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for position in text.indices where self[position] != text[position] {
                return false
            }
            return true
        }
    }

    /// Whether these bytes are the ASCII of a text in any letter case. The text is lower-case letters and dashes, and
    /// the bytes are known to hold no control characters, of which CR would pass for a dash.
    func isEqual(toLowercase text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for position in text.indices where self[position] | 0x20 != text[position] {
                return false
            }
            return true
        }
    }
}
