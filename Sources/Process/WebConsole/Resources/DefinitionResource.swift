internal import AccessoryFiles
internal import Documents
internal import HAPCore
internal import Hosting
internal import Resources

/// An error or a warning about a definition, as the API shows it.
struct DiagnosticResource: Sendable {
    var diagnostic: Diagnostic
    /// The included file with the error, or `nil` for the definition itself.
    var file: String?

    /// Returns the diagnostics of a file; if there are too many, the errors first, and how many are missing.
    static func all(_ diagnostics: [Diagnostic], in file: String?) -> [DiagnosticResource] {
        limited(diagnostics)
            .map { diagnostic in
                let isElsewhere = file != nil && diagnostic.file != file
                return DiagnosticResource(diagnostic: diagnostic, file: isElsewhere ? diagnostic.file : nil)
            }
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

    private var severity: String { diagnostic.severity == .error ? "error" : "warning" }
    private var code: String { "file" }
    private var count: Int? { diagnostic.count > 1 ? diagnostic.count : nil }

    static let format = Format<DiagnosticResource>(
        response: "Diagnostic",
        .written("severity", \.severity, .string, "Either error or warning."),
        .written("code", \.code, .string, "The kind of error; always file, as in the JSON of commands."),
        .written("message", \.diagnostic.reason, .string, "What is wrong, and what to do."),
        .written(
            "path",
            \.diagnostic.path,
            .string,
            "The place in the definition, such as services[1].characteristics[0].range; empty for all of it."
        ),
        .written("line", \.diagnostic.position?.line, .count, "The line in the text, from 1."),
        .written("column", \.diagnostic.position?.column, .count, "The column in characters, from 1."),
        .written("file", \.file, .string, "The included file with the error, if it is in one."),
        .written("count", \.count, .count, "The number of similar warnings that this one stands for.")
    )
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
        .written("server", \.file.server, .nullableString, "The key of its server; null if it is not served."),
        .written("name", \.name, .nullableString, "The name of the accessory; null if the file has errors."),
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
        .written("server", \.file.server, .nullableString, "The key of its server; null if it is not served."),
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
            .nullableString,
            "The size in words, and how many characteristics were added; null if there are errors."
        )
    )
}

extension Format {
    /// Returns the format of a value that can be `null`.
    static func nullable<Wrapped>(_ format: Format<Wrapped>) -> Format where Value == Wrapped? {
        Format(
            schema: format.schema.map {
                .inlineMap([.init("anyOf", .list([$0, .inlineMap([.init("type", "null")])]))])
            },
            read: { _, _ in nil },
            write: { $0.map(format.write) ?? .null }
        )
    }
}

extension Format<String?> {
    /// A text or `null`.
    static let nullableString = Format(
        schema: Schema(.init("type", .list(["string", "null"]))),
        read: { field, reader in
            if field.node.scalar?.meaning == .null { return .some(nil) }
            return Format<String>.string.read(field, &reader).map { .some($0) }
        },
        write: { $0.map(DocumentTree.text) ?? .null }
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
