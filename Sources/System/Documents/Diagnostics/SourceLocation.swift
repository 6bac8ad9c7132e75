/// A location in a file, as a position in the text and as a path in the structure.
package struct SourceLocation: Sendable, Hashable {
    /// The file's name, as the caller gave it.
    package var file: String
    /// The position in the text, or `nil` if the file is not a text.
    package var position: TextPosition?
    /// The path in the structure, such as `services[1].characteristics.On`; empty for the whole document.
    package var path: String

    /// Creates a location.
    package init(file: String, position: TextPosition? = nil, path: String = "") {
        self.file = file
        self.position = position
        self.path = path
    }
}

/// A value with its location in a file; the location is ignored in comparisons.
package struct Located<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The value.
    package var value: Value
    /// The location, or `nil` if the value was not read from a file.
    package var location: SourceLocation?

    /// Creates a value with a location.
    package init(_ value: Value, at location: SourceLocation? = nil) {
        self.value = value
        self.location = location
    }

    package static func == (lhs: Located<Value>, rhs: Located<Value>) -> Bool {
        lhs.value == rhs.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}
