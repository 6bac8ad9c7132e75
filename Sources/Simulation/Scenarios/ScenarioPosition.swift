/// Where something stands in the file of a scenario.
package struct ScenarioPosition: Sendable, Hashable {
    /// The line, from 1; 0 for what stands in no file.
    package var line: Int
    /// The column, from 1.
    package var column: Int
    /// Where in the structure, such as `steps[3].expect`.
    package var path: String

    /// Creates a position.
    package init(line: Int = 0, column: Int = 0, path: String = "") {
        self.line = line
        self.column = column
        self.path = path
    }
}
