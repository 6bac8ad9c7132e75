internal import AccessoryFiles
internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import Hosting
internal import Resources

/// The result of checking a definition while it is edited.
struct DefinitionCheck: Sendable {
    /// The name of the file, as in the diagnostics.
    let name: String
    /// The definition as values would be saved, without comments; the given text if its syntax is invalid.
    var text: DefinitionText
    /// What a server would serve, or the errors.
    var reading: Result<AccessoryFileContents, DocumentError>

    /// Checks a content as the reader of files does.
    ///
    /// - Parameters:
    ///   - name: The name of the file, for messages.
    ///   - include: Returns the content of another file that this one includes.
    init(
        _ content: DefinitionContent,
        name: String,
        include: (String) throws(DocumentError) -> [UInt8]? = { _ in nil }
    ) {
        self.name = name
        let written: DefinitionText
        switch content {
        case .text(let text): written = DefinitionText(Array(text.utf8), name: name)
        case .values(let values): written = DefinitionText(values, name: name)
        }
        reading = AccessoryFile.readServable(written.bytes, name: name, include: include)
        text = written
        if case .text = content, let values = values(of: written) { text = DefinitionText(values, name: name) }
    }

    /// The values of a text, also of one that is not a definition, such as an export.
    private func values(of written: DefinitionText) -> DocumentTree? {
        guard case .success(let contents) = reading, ![.yaml, .json].contains(contents.kind) else {
            return written.content
        }
        return contents.document.definition
    }

    /// The accessories that a server would serve, with everything that the reader has added; `nil` with errors.
    var preview: [AccessoryResource]? {
        guard case .success(let contents) = reading else { return nil }
        let accessories = contents.document.makeAccessories(isSimulated: contents.kind != .dump)
        var identifiers = IdentifierMap()
        let isVerbatim = contents.document.isVerbatim
        return try? AttributeDatabase(accessories, identifiers: &identifiers, isVerbatim: isVerbatim).resources()
    }
}

/// A device of a file that is imported, as a definition.
struct ImportedDefinition: Sendable {
    var title: String
    var text: String
    var diagnostics: [DiagnosticResource]

    /// Converts all devices of a file of any kind.
    ///
    /// - Throws: ``Problem`` with all errors if no device can be converted.
    static func all(of bytes: [UInt8], name: String) throws -> [ImportedDefinition] {
        var definitions: [ImportedDefinition] = []
        var errors: [Diagnostic] = []
        for (name, reading) in AccessoryFile.readAll(bytes, name: name) {
            do throws(DocumentError) {
                let contents = try reading.get()
                let (text, losses) = try AccessoryFile.write(contents.document, as: .yaml, name: name, schema: nil)
                definitions.append(
                    ImportedDefinition(
                        title: contents.document.name,
                        text: String(decoding: text, as: UTF8.self),
                        diagnostics: DiagnosticResource.all(contents.warnings + losses, in: name)
                    )
                )
            } catch {
                errors += error.diagnostics
            }
        }
        guard errors.isEmpty || !definitions.isEmpty else {
            let first = errors.first { $0.severity == .error } ?? errors[0]
            var problem = Problem(
                .unprocessableContent,
                "invalid-file",
                "The file cannot be imported: \(first.reason)."
            )
            problem.diagnostics = errors
            throw problem
        }
        return definitions
    }

    static let format = Format<ImportedDefinition>(
        response: "ImportedDefinition",
        .written("title", \.title, .string, "The name of the accessory."),
        .written("text", \.text, .string, "The definition in YAML."),
        .written(
            "diagnostics",
            \.diagnostics,
            .list(of: DiagnosticResource.format),
            "What was unusual in the file, and what a definition cannot express."
        )
    )
}
