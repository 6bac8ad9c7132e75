internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import YAMLDocuments

/// Reads accessories that people have written, in YAML or JSON.
///
/// The format is in `docs/definitions.md`.
enum DefinitionReader {
    /// The most bytes of the files that one file includes, together.
    static let maximumIncludedSize = 4 << 20

    /// Reads a definition; everything that is wrong with it comes at once.
    static func read(
        _ bytes: [UInt8],
        name: String,
        include: (String) throws(DocumentError) -> [UInt8]?
    ) throws(DocumentError) -> AccessoryFileContents {
        var session = DefinitionAssembler()
        guard let (root, kind) = compose(bytes, in: name, &session.reader.diagnostics) else {
            throw DocumentError(session.reader.diagnostics.ordered)
        }
        let document = session.document(DocumentField(file: name, node: root), include)
        let diagnostics = session.reader.diagnostics
        guard let document, !diagnostics.hasErrors else { throw DocumentError(diagnostics.ordered) }
        var contents = AccessoryFileContents(kind: kind, document: document, warnings: diagnostics.ordered)
        contents.addedCharacteristicCount = session.addedCharacteristicCount
        return contents
    }

    /// Whether a text is one that can be understood, within the limits for size and depth, whatever it says.
    static func isWellFormed(_ bytes: [UInt8], name: String) -> Bool {
        var findings = DiagnosticCollector()
        return compose(bytes, in: name, &findings) != nil
    }

    /// The root of a text in YAML or JSON, and which it is.
    static func compose(
        _ bytes: [UInt8],
        in file: String,
        _ findings: inout DiagnosticCollector
    ) -> (root: DocumentNode, kind: AccessoryFileKind)? {
        TextDocument.read(bytes, in: file, firstKey: "accessory", &findings)
            .map { ($0.root.node, $0.language == .json ? .json : .yaml) }
    }
}
