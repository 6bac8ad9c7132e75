package import Documents
package import HomeModel
internal import YAMLDocuments

/// Reads and writes the content of home files; it does not open files.
///
/// The format is documented in `docs/homes.md` and declared in HomeModel.
package enum HomeFile {
    /// Reads homes in YAML or JSON, and reports all errors at once.
    ///
    /// - Parameters:
    ///   - bytes: The content; 1 MiB at most.
    ///   - name: The name of the file, for messages.
    /// - Throws: ``DocumentError`` with all errors and their lines.
    package static func read(_ bytes: [UInt8], name: String) throws(DocumentError) -> HomeDocument {
        try TextDocument.read(.homeFile, from: bytes, in: name, firstKey: "home")
    }

    /// Returns whether a file is a home file, possibly with errors, so that messages may quote it.
    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        DocumentText.hasKey(among: ["home", "homes"], in: bytes)
    }

    /// The name of the JSON Schema of home files.
    package static let schemaName = "home.schema.json"

    /// Writes homes in the form that people use; the same homes always give the same text.
    ///
    /// - Parameters:
    ///   - document: The homes.
    ///   - kind: The kind of the file; any kind other than JSON results in YAML.
    ///   - name: The name of the file, for messages.
    ///   - schema: The schema that the file refers to, relative to the file; `nil` for none.
    /// - Throws: ``DocumentError`` if ``read(_:name:)`` would refuse the text, for example because it is too large.
    package static func write(
        _ document: HomeDocument,
        as kind: AccessoryFileKind = .yaml,
        name: String = "home",
        schema: String? = schemaName
    ) throws(DocumentError) -> [UInt8] {
        let tree = Format.homeFile.write(document)
        let bytes = TextDocument.write(tree.members, as: kind == .json ? .json : .yaml, schema: schema)
        var diagnostics = DiagnosticCollector()
        guard TextDocument.read(bytes, in: name, firstKey: "home", &diagnostics) != nil else {
            throw DocumentError(diagnostics.ordered, ofWritten: "the home file", in: name)
        }
        return bytes
    }

    /// Returns the diagnostics of a merge in the order of the file: errors, and warnings for missing and pending parts.
    package static func diagnostics(of merge: HomeMerge, in file: String) -> [Diagnostic] {
        let warnings = merge.missing.map { Diagnostic($0, .warning, in: file) } + pendingParts(of: merge, in: file)
        let diagnostics = merge.errors.map { Diagnostic($0, .error, in: file) } + warnings
        func place(_ diagnostic: Diagnostic) -> (Int, Int) {
            (diagnostic.position?.line ?? 0, diagnostic.position?.column ?? 0)
        }
        return diagnostics.sorted { place($0) < place($1) }
    }

    /// Returns a warning for each part that a merge omits until its accessory is found.
    static func pendingParts(of merge: HomeMerge, in file: String) -> [Diagnostic] {
        merge.pending.map { Diagnostic($0, .warning, in: file, $0.value.pendingText) }
    }
}

extension Diagnostic {
    init(_ error: Located<HomeError>, _ severity: Severity, in file: String, _ text: String? = nil) {
        self.init(
            severity,
            in: file,
            at: error.location?.position,
            path: error.location?.path ?? error.value.path.shortenedForDisplay,
            text ?? error.value.diagnosticText
        )
    }
}
