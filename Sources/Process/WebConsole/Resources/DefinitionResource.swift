internal import AccessoryFiles
internal import Documents
internal import HAPCore
internal import Hosting
internal import Resources

extension DiagnosticResource {
    /// Returns the diagnostics of a file; if there are too many, the errors first, and how many are missing.
    static func all(_ diagnostics: [Diagnostic], in file: String?) -> [DiagnosticResource] {
        limited(diagnostics).map { DiagnosticResource($0, showsFile: file != nil && $0.file != file) }
    }

    /// Returns at most ``ConsoleLimits/diagnostics`` of the diagnostics.
    static func limited(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard let first = diagnostics.first, diagnostics.count > ConsoleLimits.diagnostics else { return diagnostics }
        let sorted = diagnostics.filter { $0.severity == .error } + diagnostics.filter { $0.severity == .warning }
        let omitted = diagnostics.count - ConsoleLimits.diagnostics + 1
        let note = Diagnostic(
            sorted[0].severity,
            in: first.file,
            "there are \(omitted) more errors and warnings; correct the ones above"
        )
        return sorted.prefix(ConsoleLimits.diagnostics - 1) + [note]
    }
}

/// A file of the folder in a list, as the API shows it.
struct DefinitionListEntry: Sendable {
    var file: DefinitionFile

    private var name: String? {
        guard case .success(let contents) = file.reading else { return nil }
        return contents.document.name
    }
    private var errors: Int { count(.error) }
    private var warnings: Int { count(.warning) }

    private func count(_ severity: Diagnostic.Severity) -> Int {
        file.reading.diagnostics.filter { $0.severity == severity }.reduce(0) { $0 + $1.count }
    }

    static let format = Format<DefinitionListEntry>(
        response: "DefinitionListEntry",
        .written("file", \.file.name.text, .string, "The name of the file."),
        .written("revision", \.file.revision, .string, "A hash of the content."),
        .written(
            "server",
            \.file.server,
            .nullable(.string),
            "The key of its server; null if it is not served."
        ),
        .written(
            "name",
            \.name,
            .nullable(.string),
            "The name of the accessory; null if the file has errors."
        ),
        .written("errors", \.errors, .count, "The number of errors."),
        .written("warnings", \.warnings, .count, "The number of warnings.")
    )
}

/// A file of the folder with its content, as the API shows it.
struct DefinitionResource: Sendable {
    var file: DefinitionFile
    private var content: DefinitionText

    init(_ file: DefinitionFile) {
        self.file = file
        // An export or a dump is shown as a definition, also if it cannot be served together with other files.
        if AccessoryFile.kind(of: file.bytes) != .yaml,
            let contents = (try? file.reading.get()) ?? (try? AccessoryFile.read(file.bytes, name: file.name.text))
        {
            content = DefinitionText(contents.document.definition, name: "")
        } else {
            content = DefinitionText(file.bytes, name: file.name.text)
        }
    }

    private var text: String { String(decoding: content.bytes, as: UTF8.self) }
    private var diagnostics: [DiagnosticResource] {
        DiagnosticResource.all(file.reading.diagnostics, in: file.name.text)
    }

    static let format = Format<DefinitionResource>(
        response: "DefinitionFile",
        .written("file", \.file.name.text, .string, "The name of the file."),
        .written("revision", \.file.revision, .string, "A hash of the content, for the next save."),
        .written(
            "server",
            \.file.server,
            .nullable(.string),
            "The key of its server; null if it is not served."
        ),
        .written("text", \.text, .string, "The text; for an export or a dump, the definition in YAML."),
        .written("definition", \.content.content, .definition, "The text as JSON; null if its syntax is invalid."),
        .written("hasComments", \.content.hasComments, .boolean, "Whether the text has comments."),
        .written("diagnostics", \.diagnostics, .list(of: DiagnosticResource.format), "The errors and warnings.")
    )
}

extension DefinitionCheck {
    private var yaml: String { String(decoding: text.bytes, as: UTF8.self) }
    private var diagnostics: [DiagnosticResource] { DiagnosticResource.all(reading.diagnostics, in: name) }
    private var summary: String? {
        guard case .success(let contents) = reading else { return nil }
        return contents.summary
    }

    static let format = Format<DefinitionCheck>(
        response: "DefinitionCheck",
        .written(
            "text",
            \.yaml,
            .string,
            "The definition as values are saved, without comments; the given text if its syntax is invalid."
        ),
        .written("definition", \.text.content, .definition, "The text as JSON; null if its syntax is invalid."),
        .written("diagnostics", \.diagnostics, .list(of: DiagnosticResource.format), "The errors and warnings."),
        .written(
            "accessories",
            \.preview,
            .nullable(.list(of: AccessoryResource.format)),
            "The accessories with everything that is added; null if there are errors."
        ),
        .written(
            "summary",
            \.summary,
            .nullable(.string),
            "The size in words, and how many characteristics were added; null if there are errors."
        )
    )
}

extension Format<DocumentTree?> {
    /// The content of a definition, or `null`.
    static let definition = Format(
        schema: Schema(.init("type", .list(["object", "array", "string", "number", "boolean", "null"]))),
        read: { _, _ in nil },
        write: { $0 ?? .null }
    )
}
