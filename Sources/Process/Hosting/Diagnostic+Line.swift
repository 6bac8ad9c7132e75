package import Documents

extension Diagnostic {
    /// One line for a terminal: `file:line:column: path: reason`, with `warning:` before the path for a warning.
    package var line: String {
        guard severity == .warning else { return description.printable }
        let place = position.map { "\(file):\($0.line):\($0.column)" } ?? file
        return "\(place): warning: \(pathAndReason)".printable
    }
}
