extension [UInt8] {
    /// Appends the ASCII of a text, without a string.
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
