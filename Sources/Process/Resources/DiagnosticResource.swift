package import Documents
internal import HAPCore

/// An error or a warning, with its remedy.
package struct DiagnosticResource: Sendable {
    /// The kinds of errors, which decide on the exit code of a command.
    package enum Code: String, Sendable, CaseIterable {
        case failed, refused, usage, file, unavailable
    }

    private var severity = "error"
    private var code: Code
    private var message: String
    private var file: String?
    private var position: TextPosition?
    private var path: String?
    private var count: Int?

    /// - Parameter showsFile: Whether the file is named, because the reader does not know it.
    package init(_ diagnostic: Diagnostic, showsFile: Bool = true) {
        if diagnostic.severity == .warning { severity = "warning" }
        code = .file
        message = diagnostic.reason
        if showsFile { file = diagnostic.file }
        position = diagnostic.position
        if !diagnostic.path.isEmpty { path = diagnostic.path }
        if diagnostic.count > 1 { count = diagnostic.count }
    }

    /// Creates an error that is not about a file.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package static let format = Format<DiagnosticResource>(
        response: "Diagnostic",
        .written("severity", \.severity, .word(["error", "warning"]), "Either error or warning."),
        .written(
            "code",
            \.code.rawValue,
            .word(Code.allCases.map(\.rawValue)),
            "The kind of error, which decides on the exit code of a command."
        ),
        .written("message", \.message, .string, "What is wrong, and what to do."),
        .written("file", \.file, .string, "The file; in the API, only an included file."),
        .written("line", \.position?.line, .count, "The line in the text, from 1."),
        .written("column", \.position?.column, .count, "The column in characters, from 1."),
        .written(
            "path",
            \.path,
            .string,
            "The place in the structure, such as services[1].characteristics[0].range; absent for the whole file."
        ),
        .written("count", \.count, .count, "The number of similar findings that this one represents, if more than one.")
    )
}
