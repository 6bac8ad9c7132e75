/// The reason for which a file could not be read or written.
///
/// This is the only error type of this module.
package struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Everything that is wrong, in the order of the file; at least one of them an error.
    package var diagnostics: [Diagnostic]

    /// Creates an error.
    package init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// Creates an error of one diagnostic.
    package init(in file: String, at position: TextPosition? = nil, path: String = "", _ reason: String) {
        diagnostics = [Diagnostic(.error, in: file, at: position, path: path, reason)]
    }

    /// One line for each.
    package var description: String {
        diagnostics.map(\.description).joined(separator: "\n")
    }
}
