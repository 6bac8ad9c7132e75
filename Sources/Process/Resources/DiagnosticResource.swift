package import Documents
internal import HAPCore

/// What is wrong with a file or a command, and what to do.
package struct DiagnosticResource: Sendable {
    private var isError: Bool
    private var code: String
    private var message: String
    private var place: Diagnostic?
    private var showsFile: Bool

    /// - Parameter showsFile: Whether the file is named, because the reader does not know it.
    package init(_ diagnostic: Diagnostic, showsFile: Bool = true) {
        isError = diagnostic.severity == .error
        code = "file"
        message = diagnostic.reason
        place = diagnostic
        self.showsFile = showsFile
    }

    /// Creates an error that is not about a file.
    ///
    /// - Parameter code: `failed`, `refused`, `usage`, `file` or `unavailable`.
    package init(code: String, _ message: String) {
        isError = true
        self.code = code
        self.message = message
        showsFile = false
    }

    package static let format = Format<DiagnosticResource>(
        response: "Diagnostic",
        .written("severity", \.severity, .word(["error", "warning"]), "Either error or warning."),
        .written(
            "code",
            \.code,
            .word(["failed", "refused", "usage", "file", "unavailable"]),
            "The kind of error, which decides on the exit code of a command."
        ),
        .written("message", \.message, .string, "What is wrong, and what to do."),
        .written("file", \.file, .string, "The file; in the API, only an included file."),
        .written("line", \.place?.position?.line, .count, "The line in the text, from 1."),
        .written("column", \.place?.position?.column, .count, "The column in characters, from 1."),
        .written(
            "path",
            \.path,
            .string,
            "The place in the structure, such as services[1].characteristics[0].range, if it is not all of it."
        ),
        .written("count", \.count, .count, "The number of similar findings that this one stands for, if several.")
    )

    private var severity: String { isError ? "error" : "warning" }
    private var file: String? { showsFile ? place?.file : nil }
    private var path: String? { place.flatMap { $0.path.isEmpty ? nil : $0.path } }
    private var count: Int? { place.flatMap { $0.count > 1 ? $0.count : nil } }
}
