internal import AccessoryModel

/// What is wrong with a definition and the files that it includes.
struct DefinitionFindings: Sendable {
    /// How many errors are told.
    static let maximum = 1_000
    /// How many warnings are told; they take no error's place.
    static let maximumWarnings = 1_000

    /// What finds names that are near to wrong ones, with one budget for the whole reading.
    var spelling = Spelling()

    private var findings: [FileFinding] = []
    private var known: Set<FileFinding> = []
    private var files: [String] = []
    private var errors = 0
    private var warnings = 0
    /// Whether there were more errors than are told.
    private var hasMoreErrors = false
    private var omittedWarnings = 0

    /// Notes what is wrong at a place in a text; the same thing is noted once.
    mutating func report(
        _ severity: FileFinding.Severity = .error,
        in file: String,
        at position: TextPosition?,
        path: DefinitionPath = .root,
        _ reason: @autoclosure () -> String
    ) {
        guard hasRoom(for: severity) else { return }
        let finding = FileFinding(severity, in: file, at: position, path: path.description, reason())
        guard known.insert(finding).inserted else { return }
        if !files.contains(file) {
            files.append(file)
        }
        findings.append(finding)
        switch severity {
        case .error: errors += 1
        case .warning: warnings += 1
        }
    }

    /// Whether one more of this kind is told; notes that it is not.
    private mutating func hasRoom(for severity: FileFinding.Severity) -> Bool {
        switch severity {
        case .error:
            hasMoreErrors = hasMoreErrors || errors == Self.maximum
            return errors < Self.maximum
        case .warning:
            omittedWarnings += warnings == Self.maximumWarnings ? 1 : 0
            return warnings < Self.maximumWarnings
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
        errors > 0
    }

    /// Whether something is wrong with what stands at a path or in it.
    func hasError(in path: String, of file: String) -> Bool {
        findings.contains { finding in
            guard finding.severity == .error, finding.file == file else { return false }
            guard finding.path.hasPrefix(path) else { return false }
            let rest = finding.path.utf8.dropFirst(path.utf8.count)
            return rest.isEmpty || rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: "[")
        }
    }

    /// The number of findings so far.
    var count: Int {
        errors
    }

    /// Everything in the order of the text; of several files, of the one with the first finding first.
    var ordered: [FileFinding] {
        var ranks: [String: Int] = [:]
        for (rank, file) in files.enumerated() {
            ranks[file] = rank
        }
        func order(_ entry: (offset: Int, element: FileFinding)) -> (Int, Int, Int, Int) {
            let position = entry.element.position
            return (ranks[entry.element.file] ?? 0, position?.line ?? 0, position?.column ?? 0, entry.offset)
        }
        var ordered = findings.enumerated().sorted { order($0) < order($1) }.map(\.element)
        guard let file = files.first else { return ordered }
        if omittedWarnings > 0 {
            var more = FileFinding(.warning, in: file, "there are \(omittedWarnings) more warnings")
            more.count = omittedWarnings
            ordered.append(more)
        }
        if hasMoreErrors {
            ordered.append(FileFinding(.error, in: file, "there is more wrong than the \(Self.maximum) things above"))
        }
        return ordered
    }
}
