/// Something that is wrong with a file, or that is not understood: what, where, and what would be right.
package struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
    /// Whether the file can still be used.
    package enum Severity: Sendable, Hashable {
        /// It can.
        case warning
        /// It cannot.
        case error
    }

    /// Whether the file can still be used.
    package var severity: Severity
    /// The file, as it was named.
    package var file: String
    /// The position in the text; `nil` for files that are not text.
    package var position: TextPosition?
    /// The path in the structure, such as `services[1].characteristics.On`; empty for the whole.
    package var path: String
    /// The problem and its remedy, in a sentence without its full stop.
    package var reason: String
    /// The number of diagnostics that this one stands for: more than 1 if many of one kind are counted.
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

    /// `file:line:column: path: reason`, without absent parts.
    package var description: String {
        let place = position.map { "\(file):\($0.line):\($0.column)" } ?? file
        return path.isEmpty ? "\(place): \(reason)" : "\(place): \(path): \(reason)"
    }
}
