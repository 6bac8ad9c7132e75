/// A place in a text, as editors count it.
package struct TextPosition: Sendable, Hashable {
    /// From 1.
    package var line: Int
    /// From 1, in characters.
    package var column: Int

    /// Creates a position.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
