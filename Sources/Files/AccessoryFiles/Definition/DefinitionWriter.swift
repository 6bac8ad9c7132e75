internal import Documents
internal import HAPCore
internal import YAMLDocuments

/// Writes accessories in YAML or JSON, in the form that people use.
///
/// The same accessories always give the same text. Defaults of ``DefinitionReader`` are omitted. The text is read again
/// to find what is lost.
enum DefinitionWriter {
    /// Writes a document; returns the text, and a warning for everything that a definition cannot express.
    ///
    /// - Throws: ``DocumentError`` if the definition could not be read, for example because it is too large.
    static func write(
        _ document: AccessoryDocument,
        as kind: AccessoryFileKind,
        name: String,
        schema: String? = schema
    ) throws(DocumentError) -> (bytes: [UInt8], losses: [Diagnostic]) {
        var refusals: [Diagnostic] = []
        if !document.isVerbatim {
            let bytes = text(document, as: kind, schema: schema)
            do throws(DocumentError) {
                return (bytes, try losses(of: document, in: bytes, name: name))
            } catch {
                // The text exceeds a limit. A verbatim definition would not be smaller, so it is not tried.
                guard DefinitionReader.isWellFormed(bytes, name: name) else {
                    throw DocumentError(error.diagnostics, ofWritten: "the definition", in: name)
                }
                refusals = error.diagnostics.filter { $0.severity == .error }
            }
        }
        var verbatim = document
        verbatim.isVerbatim = true
        let bytes = text(verbatim, as: kind, schema: schema)
        do throws(DocumentError) {
            let losses = try losses(of: verbatim, in: bytes, name: name)
            let reasons = refusals.map { diagnostic in
                Diagnostic(
                    .warning,
                    in: name,
                    path: diagnostic.path,
                    "the definition can be served only as it is, so \"verbatim: true\" is added: \(diagnostic.reason)"
                )
            }
            return (bytes, reasons + losses)
        } catch {
            throw DocumentError(error.diagnostics, ofWritten: "the definition", in: name)
        }
    }

    /// Returns the differences after the text is read again.
    private static func losses(
        of document: AccessoryDocument,
        in bytes: [UInt8],
        name: String
    ) throws(DocumentError) -> [Diagnostic] {
        let again = try DefinitionReader.read(bytes, name: name) { _ in nil }
        return DocumentDifference.differences(from: document, to: again.document, in: name)
    }

    private static func text(
        _ document: AccessoryDocument,
        as kind: AccessoryFileKind,
        schema: String?
    ) -> [UInt8] {
        let members = DefinitionEncoder.members(of: document)
        return TextDocument.write(members, as: kind == .json ? .json : .yaml, schema: schema)
    }

    /// The name of the schema in the folder of the definition.
    static let schema = "accessory.schema.json"
}

extension DocumentError {
    /// Creates the error for a text that was written and could not be read again.
    init(_ diagnostics: [Diagnostic], ofWritten text: String, in file: String) {
        let errors = diagnostics.filter { $0.severity == .error }
        self.init(
            errors.map {
                Diagnostic(
                    .error,
                    in: file,
                    path: $0.path,
                    "\(text) cannot be written, because hap could not read it again: \($0.reason)"
                )
            }
        )
    }
}
