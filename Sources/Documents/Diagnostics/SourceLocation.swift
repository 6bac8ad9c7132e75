/// A place in a file: where its text has it, and where its structure.
package struct SourceLocation: Sendable, Hashable {
    /// The file, as it was named.
    package var file: String
    /// The position in the text; `nil` for files that are not text.
    package var position: TextPosition?
    /// The path in the structure, such as `services[1].characteristics.On`; empty for the whole.
    package var path: String

    /// Creates a location.
    package init(file: String, position: TextPosition? = nil, path: String = "") {
        self.file = file
        self.position = position
        self.path = path
    }
}

/// A value with its location in a file; two are equal if their values are, whatever their locations.
package struct Located<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The value.
    package var value: Value
    /// The location; `nil` for a value that was not read from a file.
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
