package import Documents

/// What came out of a file.
package struct AccessoryFileReading: Sendable, Hashable {
    /// What the file is.
    package var kind: AccessoryFileKind
    /// What it says.
    package var document: AccessoryDocument
    /// What was not understood or is unusual; none is an error.
    package var warnings: [Diagnostic]

    /// Creates a reading.
    package init(kind: AccessoryFileKind, document: AccessoryDocument, warnings: [Diagnostic] = []) {
        self.kind = kind
        self.document = document
        self.warnings = warnings
    }
}
