/// Why a file gives no accessory, or an accessory no file.
///
/// The one error type of this module.
package struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Everything that is wrong, in the order of the file; at least one of them an error.
    package var diagnostics: [Diagnostic]

    /// Creates an error.
    package init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// One line for each.
    package var description: String {
        diagnostics.map(\.description).joined(separator: "\n")
    }
}
