/// A position in a text, counted as editors count it.
package struct TextPosition: Sendable, Hashable {
    /// The line; the first line is 1.
    package var line: Int
    /// The column in characters; the first column is 1.
    package var column: Int

    /// Creates a position.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension TextPosition {
    /// Creates the position of a byte in a UTF-8 text; an offset after the end becomes the end.
    package init(ofByteAt offset: Int, in text: [UInt8]) {
        let before = text.prefix(offset)
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        self.init(
            line: before.count { $0 == 0x0A } + 1,
            column: before[start...].count { $0 & 0xC0 != 0x80 } + 1
        )
    }
}
