/// Where something stands in a home file.
package struct DocumentPlace: Sendable, Hashable {
    /// The line, from 1.
    package var line: Int
    /// The character in it, from 1.
    package var column: Int
    /// The place in the structure, such as `scenes.Movie Time[0]`.
    package var path: String

    /// Creates a place.
    package init(line: Int, column: Int, path: String) {
        self.line = line
        self.column = column
        self.path = path
    }
}
