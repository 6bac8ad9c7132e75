internal import Documents
internal import HAPCore
internal import YAMLDocuments

/// Writes accessories as people would write them, in YAML or JSON.
///
/// The same text each time. Left away is what ``DefinitionReader`` would take anyway, and what was written is read again
/// to see that it says the same.
enum DefinitionWriter {
    /// Writes a document, with what a definition cannot say of it.
    ///
    /// - Throws: ``DocumentError`` when nobody could read the definition, as when it is too large.
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
                // As a picture, it would be no smaller.
                guard DefinitionReader.isWellFormed(bytes, name: name) else {
                    throw DocumentError(error.diagnostics, ofWritten: "a definition of it", in: name)
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
                    "a definition is refused here, so it is written as \"verbatim\": \(diagnostic.reason)"
                )
            }
            return (bytes, reasons + losses)
        } catch {
            throw DocumentError(error.diagnostics, ofWritten: "a definition of it", in: name)
        }
    }

    /// What is not the same when the text is read.
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
    /// What is wrong with a text that was written, and could not be read again.
    init(_ diagnostics: [Diagnostic], ofWritten text: String, in file: String) {
        let errors = diagnostics.filter { $0.severity == .error }
        self.init(
            errors.map {
                Diagnostic(.error, in: file, path: $0.path, "\(text) could not be read again: \($0.reason)")
            }
        )
    }
}
