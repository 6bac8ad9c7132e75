package import HAPCore

/// A collector of the diagnostics of a file and the files that it includes.
package struct DiagnosticCollector: Sendable {
    /// The maximum number of errors that are reported.
    package static let maximum = 1_000

    package init() {}

    /// A suggester of similar names, with one budget for the whole file.
    package var spelling = SpellingSuggester()

    private var errors: [Diagnostic] = []
    /// All errors, and the warnings, which are counted by kind.
    private var diagnostics = RepeatedDiagnostics()
    /// The hash values of all diagnostics.
    ///
    /// Only hash values are stored, because the warnings that are only counted would take too much memory.
    private var seenHashes: Set<Int> = []
    private var files: [String] = []
    /// Whether there were more errors than the maximum.
    private var hasMoreErrors = false

    /// Reports a diagnostic at a position in a text, unless the same one was reported before.
    package mutating func report(
        _ severity: Diagnostic.Severity = .error,
        in file: String,
        at position: TextPosition?,
        path: DocumentPath = .root,
        _ reason: @autoclosure () -> String
    ) {
        report(severity, in: file, at: position, path: path.description, reason())
    }

    private mutating func report(
        _ severity: Diagnostic.Severity,
        in file: String,
        at position: TextPosition?,
        path: String,
        _ reason: @autoclosure () -> String
    ) {
        if severity == .error, errors.count == Self.maximum {
            hasMoreErrors = true
            return
        }
        let diagnostic = Diagnostic(severity, in: file, at: position, path: path, reason())
        guard seenHashes.insert(diagnostic.hashValue).inserted else { return }
        if !files.contains(file) {
            files.append(file)
        }
        diagnostics.add(diagnostic)
        if severity == .error {
            errors.append(diagnostic)
        }
    }

    /// Reports an error at a location.
    package mutating func report(at location: SourceLocation, _ reason: @autoclosure () -> String) {
        report(.error, in: location.file, at: location.position, path: location.path, reason())
    }

    /// Reports a warning at a location.
    package mutating func warn(at location: SourceLocation, _ reason: @autoclosure () -> String) {
        report(.warning, in: location.file, at: location.position, path: location.path, reason())
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
        errors.contains { error in
            guard error.file == file, error.path.hasPrefix(path) else { return false }
            let rest = error.path.utf8.dropFirst(path.utf8.count)
            return rest.isEmpty || rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: "[")
        }
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
        if hasMoreErrors, let file = files.first {
            ordered.append(Diagnostic(.error, in: file, "there are more errors than the \(Self.maximum) above"))
        }
        return ordered
    }
}
