import AccessoryFiles
import Documents

extension Diagnostic {
    /// One line for a terminal: `file:line:column: path: reason`, with `warning:` in it for one that is no error.
    var line: String {
        guard severity == .warning else { return description.printable }
        let place = position.map { "\(file):\($0.line):\($0.column)" } ?? file
        return (path.isEmpty ? "\(place): warning: \(reason)" : "\(place): warning: \(path): \(reason)").printable
    }
}
