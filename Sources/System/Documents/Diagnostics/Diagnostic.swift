/// An error or a warning about a file, with its location and its remedy.
package struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
    /// A value that says whether the file can still be used.
    package enum Severity: Sendable, Hashable {
        /// The file can be used.
        case warning
        /// The file cannot be used.
        case error
    }

    /// Whether the file can still be used.
    package var severity: Severity
    /// The file's name, as the caller gave it.
    package var file: String
    /// The position in the text, or `nil` if the file is not a text.
    package var position: TextPosition?
    /// The path in the structure, such as `services[1].characteristics.On`; empty for the whole document.
    package var path: String
    /// A sentence without its full stop that describes the problem and the remedy.
    package var reason: String
    /// The number of diagnostics that this one represents; more than 1 if it counts several of the same kind.
    package var count = 1

    /// Creates a diagnostic.
    package init(
        _ severity: Severity,
        in file: String,
        at position: TextPosition? = nil,
        path: String = "",
        _ reason: String
    ) {
        self.severity = severity
        self.file = file
        self.position = position
        self.path = path
        self.reason = reason
    }

    /// The diagnostic in the form `file:line:column: path: reason`, without missing parts.
    package var description: String {
        let place = position.map { "\(file):\($0.line):\($0.column)" } ?? file
        return "\(place): \(pathAndReason)"
    }

    /// The path, if there is one, and the reason.
    package var pathAndReason: String {
        path.isEmpty ? reason : "\(path): \(reason)"
    }
}
