internal import HAPCore

/// A collector of the diagnostics of a file and the files that it includes.
package struct DiagnosticCollector: Sendable {
    /// The maximum number of errors that are reported.
    package static let maximum = 1_000

    package init() {}

    /// A suggester of similar names, with one budget for the whole file.
    private(set) var spelling = SpellingSuggester()

    private var errors: [Diagnostic] = []
    /// All errors, and the warnings, which are counted by kind.
    private var diagnostics = RepeatedDiagnostics()
    /// The hash values of all diagnostics.
    ///
    /// Only hash values are stored, because the warnings that are only counted would take too much memory.
    private var seenHashes: Set<Int> = []
    private var files: [String] = []
    /// The paths of the errors, and the paths of the values that contain them.
    private var erroneousPaths: Set<ErroneousPath> = []
    /// Whether there were more errors than the maximum.
    ///
    /// Further errors are not reported, so a reader that has found one may stop.
    package private(set) var isFull = false

    /// Reports a diagnostic at a position in a text, unless the same one was reported before.
    package mutating func report(
        _ severity: Diagnostic.Severity = .error,
        in file: String,
        at position: TextPosition?,
        path: DocumentPath = .root,
        _ reason: @autoclosure () -> String
    ) {
        report(severity, in: file, at: position, describedPath: path.description, reason())
    }

    private mutating func report(
        _ severity: Diagnostic.Severity,
        in file: String,
        at position: TextPosition?,
        describedPath path: @autoclosure () -> String,
        _ reason: @autoclosure () -> String
    ) {
        if severity == .error, errors.count == Self.maximum {
            isFull = true
            return
        }
        let diagnostic = Diagnostic(severity, in: file, at: position, path: path(), reason())
        guard seenHashes.insert(diagnostic.hashValue).inserted else { return }
        if !files.contains(file) {
            files.append(file)
        }
        diagnostics.add(diagnostic)
        if severity == .error {
            errors.append(diagnostic)
            erroneousPaths.formUnion(ErroneousPath.all(of: diagnostic))
        }
    }

    /// Reports an error at a location.
    package mutating func report(at location: SourceLocation, _ reason: @autoclosure () -> String) {
        report(.error, in: location.file, at: location.position, describedPath: location.path, reason())
    }

    /// Reports a warning at a location.
    package mutating func warn(at location: SourceLocation, _ reason: @autoclosure () -> String) {
        report(.warning, in: location.file, at: location.position, describedPath: location.path, reason())
    }

    /// Reports an error in a field.
    package mutating func report(_ field: DocumentField, _ reason: @autoclosure () -> String) {
        report(in: field.file, at: field.node.position, path: field.path, reason())
    }

    /// Reports a warning in a field.
    package mutating func warn(_ field: DocumentField, _ reason: @autoclosure () -> String) {
        report(.warning, in: field.file, at: field.node.position, path: field.path, reason())
    }

    /// Whether there are errors, so that the file cannot be used.
    package var hasErrors: Bool {
        !errors.isEmpty
    }

    /// Returns whether there is an error in the value at a path or in a part of the value.
    package func hasError(in path: String, of file: String) -> Bool {
        erroneousPaths.contains(ErroneousPath(file: file, path: path))
    }

    /// The path of a value that is an error or contains one.
    private struct ErroneousPath: Hashable {
        let file: String
        let path: String

        /// Returns the path of an error, and those of the values that contain it.
        static func all(of error: Diagnostic) -> [ErroneousPath] {
            let path = error.path
            let ends = path.utf8.indices.filter { [UInt8(ascii: "."), UInt8(ascii: "[")].contains(path.utf8[$0]) }
            return (ends + [path.endIndex]).map { ErroneousPath(file: error.file, path: String(path[..<$0])) }
        }
    }

    /// Returns the most similar name, or `nil` if no name is similar or no error would be reported anymore.
    package mutating func nearest(to text: String, among names: some Collection<String>) -> String? {
        errors.count < Self.maximum ? spelling.nearest(to: text, among: names) : nil
    }

    /// The number of errors so far.
    package var count: Int {
        errors.count
    }

    /// All errors, and the warnings by kind, in the order of the text.
    ///
    /// The diagnostics of several files are in the order in which the files had their first diagnostic.
    package var ordered: [Diagnostic] {
        var ranks: [String: Int] = [:]
        for (rank, file) in files.enumerated() {
            ranks[file] = rank
        }
        func order(_ diagnostic: Diagnostic) -> (Int, Int, Int) {
            (ranks[diagnostic.file] ?? 0, diagnostic.position?.line ?? 0, diagnostic.position?.column ?? 0)
        }
        var sorted = diagnostics
        sorted.sort { order($0) < order($1) }
        var ordered = sorted.diagnostics
        if isFull, let file = files.first {
            ordered.append(Diagnostic(.error, in: file, "there are more errors than the \(Self.maximum) above"))
        }
        return ordered
    }
}
