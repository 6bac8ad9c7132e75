internal import AccessoryModel

/// What is wrong with a definition and the files that it includes.
struct DefinitionFindings: Sendable {
    /// The most errors that are reported.
    static let maximum = 1_000

    /// What finds names that are near to wrong ones, with one budget for the whole reading.
    var spelling = Spelling()

    private var errors: [FileFinding] = []
    /// The errors and the warnings, which are counted by kind.
    private var findings = RepeatedFindings()
    /// The hash values of all findings.
    ///
    /// The warnings that are only counted would take too much memory.
    private var known: Set<Int> = []
    private var files: [String] = []
    /// Whether there were more errors than are reported.
    private var hasMoreErrors = false

    /// Notes what is wrong at a place in a text; the same thing is noted once.
    mutating func report(
        _ severity: FileFinding.Severity = .error,
        in file: String,
        at position: TextPosition?,
        path: DefinitionPath = .root,
        _ reason: @autoclosure () -> String
    ) {
        if severity == .error, errors.count == Self.maximum {
            hasMoreErrors = true
            return
        }
        let finding = FileFinding(severity, in: file, at: position, path: path.description, reason())
        guard known.insert(finding.hashValue).inserted else { return }
        if !files.contains(file) {
            files.append(file)
        }
        findings.add(finding)
        if severity == .error {
            errors.append(finding)
        }
    }

    /// Notes what is wrong with a field.
    mutating func report(_ field: DefinitionField, _ reason: @autoclosure () -> String) {
        report(in: field.file, at: field.node.position, path: field.path, reason())
    }

    /// Notes what is unusual about a field.
    mutating func warn(_ field: DefinitionField, _ reason: @autoclosure () -> String) {
        report(.warning, in: field.file, at: field.node.position, path: field.path, reason())
    }

    /// Whether something makes the definition useless.
    var hasErrors: Bool {
        !errors.isEmpty
    }

    /// Whether something is wrong with the value at a path or in it.
    func hasError(in path: String, of file: String) -> Bool {
        errors.contains { error in
            guard error.file == file, error.path.hasPrefix(path) else { return false }
            let rest = error.path.utf8.dropFirst(path.utf8.count)
            return rest.isEmpty || rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: "[")
        }
    }

    /// The number of errors so far.
    var count: Int {
        errors.count
    }

    /// All errors, and the warnings by kind, in the order of the text; of several files, of the one with the first finding
    /// first.
    var ordered: [FileFinding] {
        var ranks: [String: Int] = [:]
        for (rank, file) in files.enumerated() {
            ranks[file] = rank
        }
        func order(_ finding: FileFinding) -> (Int, Int, Int) {
            (ranks[finding.file] ?? 0, finding.position?.line ?? 0, finding.position?.column ?? 0)
        }
        var sorted = findings
        sorted.sort { order($0) < order($1) }
        var ordered = sorted.findings
        if hasMoreErrors, let file = files.first {
            ordered.append(FileFinding(.error, in: file, "there is more wrong than the \(Self.maximum) things above"))
        }
        return ordered
    }
}
