/// The reason why a file could not be read or written.
///
/// This is the only error type of this module.
package struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// All diagnostics in the order of the file, at least one of which is an error.
    package var diagnostics: [Diagnostic]

    /// Creates an error.
    package init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// Creates an error with one diagnostic.
    package init(in file: String, at position: TextPosition? = nil, path: String = "", _ reason: String) {
        diagnostics = [Diagnostic(.error, in: file, at: position, path: path, reason)]
    }

    /// The diagnostics, one per line.
    package var description: String {
        diagnostics.map(\.description).joined(separator: "\n")
    }
}
