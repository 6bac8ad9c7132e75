internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import YAMLDocuments

/// Reads accessory definitions in YAML or JSON.
///
/// The format is documented in `docs/definitions.md`.
enum DefinitionReader {
    /// The maximum total number of bytes of the files that one file includes.
    static let maximumIncludedSize = 4 << 20

    /// Reads a definition, and reports all errors at once.
    static func read(
        _ bytes: [UInt8],
        name: String,
        include: (String) throws(DocumentError) -> [UInt8]?
    ) throws(DocumentError) -> AccessoryFileContents {
        var session = DefinitionAssembler()
        let file = compose(bytes, in: name, &session.reader.diagnostics)
        let document = file.flatMap { session.document($0.root, include) }
        var contents = AccessoryFileContents(
            kind: file?.kind ?? .yaml,
            document: try session.reader.result(document),
            warnings: session.reader.diagnostics.ordered
        )
        contents.addedCharacteristicCount = session.addedCharacteristicCount
        return contents
    }

    /// Returns whether the syntax of a text is valid, within the limits for size and depth.
    static func isWellFormed(_ bytes: [UInt8], name: String) -> Bool {
        var findings = DiagnosticCollector()
        return compose(bytes, in: name, &findings) != nil
    }

    /// Returns the root of a text in YAML or JSON, and the kind of the text.
    static func compose(
        _ bytes: [UInt8],
        in file: String,
        _ findings: inout DiagnosticCollector
    ) -> (root: DocumentField, kind: AccessoryFileKind)? {
        TextDocument.read(bytes, in: file, firstKey: "accessory", &findings)
            .map { ($0.root, $0.language == .json ? .json : .yaml) }
    }
}
