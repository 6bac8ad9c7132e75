/// Something that is wrong with a file, or that is not understood: what, where, and what would be right.
package struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
    /// Whether the file can be used all the same.
    package enum Severity: Sendable, Hashable {
        /// It can.
        case warning
        /// It cannot.
        case error
    }

    /// Whether the file can be used all the same.
    package var severity: Severity
    /// The file, as it was named.
    package var file: String
    /// Where in the text, `nil` in files that are no text.
    package var position: TextPosition?
    /// Where in the structure, such as `services[1].characteristics.On`; empty for the whole.
    package var path: String
    /// What is wrong and what would be right, in a sentence without its full stop.
    package var reason: String
    /// The number of findings that this one stands for: more than 1 where many of one kind are counted.
    package var count = 1

    /// Creates a finding.
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

    /// `file:line:column: path: reason`, what is absent left out.
    package var description: String {
        let place = position.map { "\(file):\($0.line):\($0.column)" } ?? file
        return path.isEmpty ? "\(place): \(reason)" : "\(place): \(path): \(reason)"
    }
}
