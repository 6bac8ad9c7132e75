/// Why a file gives no accessory, or an accessory no file.
///
/// The one error type of this module.
package struct AccessoryFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Everything that is wrong, in the order of the file; at least one of them an error.
    package var findings: [FileFinding]

    /// Creates an error.
    package init(_ findings: [FileFinding]) {
        self.findings = findings
    }

    /// One line for each.
    package var description: String {
        findings.map(\.description).joined(separator: "\n")
    }
}
