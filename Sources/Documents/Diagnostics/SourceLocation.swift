/// A place in a file: where its text has it, and where its structure.
package struct SourceLocation: Sendable, Hashable {
    /// The file, as it was named.
    package var file: String
    /// Where in the text; `nil` in files that are not text.
    package var position: TextPosition?
    /// Where in the structure, such as `services[1].characteristics.On`; empty for the whole.
    package var path: String

    /// Creates a location.
    package init(file: String, position: TextPosition? = nil, path: String = "") {
        self.file = file
        self.position = position
        self.path = path
    }
}

/// A value with the place in a file that it comes from; two are equal when their values are, wherever they come from.
package struct Located<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The value.
    package var value: Value
    /// Where it is; `nil` for a value that was not read from a file.
    package var location: SourceLocation?

    /// Takes a value from a place.
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
