package import HomeModel

/// Reads and writes home files; opens none.
///
/// The format is in `docs/homes.md`.
package enum HomeFile {
    /// Reads homes that people have written, in YAML or JSON; everything that is wrong with the text comes at once.
    ///
    /// - Parameters:
    ///   - bytes: The content; 1 MiB at most.
    ///   - name: The file, as it was named, for findings.
    /// - Throws: ``AccessoryFileError`` with everything that is wrong, each with its line.
    package static func read(_ bytes: [UInt8], name: String) throws(AccessoryFileError) -> HomeDocument {
        var session = HomeSession()
        guard let (root, _) = DefinitionReader.compose(bytes, in: name, firstKey: "home", &session.base.findings) else {
            throw AccessoryFileError(session.base.findings.ordered)
        }
        let document = session.document(DefinitionField(file: name, path: .root, node: root))
        guard !session.base.findings.hasErrors else { throw AccessoryFileError(session.base.findings.ordered) }
        return document
    }

    /// Writes homes as people would write them, the same text each time.
    ///
    /// - Parameters:
    ///   - document: What is written.
    ///   - kind: JSON, or else YAML.
    ///   - name: The file, for findings.
    /// - Throws: ``AccessoryFileError`` when ``read(_:name:)`` would refuse the text, as when it is too large.
    package static func write(
        _ document: HomeDocument,
        as kind: AccessoryFileKind = .yaml,
        name: String = "home"
    ) throws(AccessoryFileError) -> [UInt8] {
        let members = HomeEncoder.members(of: document)
        let text =
            switch kind {
            case .json: JSONEmitter.text([.init(HomeKey.schema.rawValue, .text(schema))] + members)
            case .yaml, .archive, .dump: YAMLEmitter.text(members, below: "# yaml-language-server: $schema=\(schema)")
            }
        let bytes = Array(text.utf8)
        var findings = DefinitionFindings()
        guard DefinitionReader.compose(bytes, in: name, &findings) != nil else {
            throw AccessoryFileError(
                findings.ordered.filter { $0.severity == .error }
                    .map { finding in
                        FileFinding(
                            .error,
                            in: name,
                            path: finding.path,
                            "a file of the home could not be read again: \(finding.reason)"
                        )
                    }
            )
        }
        return bytes
    }

    /// What a merge has to say of a file, in its order: what is wrong; what is missing or waits, as warnings.
    package static func findings(of merge: HomeMerge, in file: String) -> [FileFinding] {
        let warnings =
            merge.missing.map { FileFinding($0, .warning, in: file) }
            + merge.pending.map { FileFinding($0, .warning, in: file, $0.error.waitingText) }
        let findings = merge.errors.map { FileFinding($0, .error, in: file) } + warnings
        return findings.enumerated()
            .sorted { left, right in
                let places = [left, right].map { $0.element.position }
                return (places[0]?.line ?? 0, places[0]?.column ?? 0, left.offset)
                    < (places[1]?.line ?? 0, places[1]?.column ?? 0, right.offset)
            }
            .map(\.element)
    }

    /// Where editors find the schema: beside the file.
    private static let schema = "home.schema.json"
}

extension FileFinding {
    fileprivate init(_ finding: HomeFinding, _ severity: Severity, in file: String, _ text: String? = nil) {
        self.init(
            severity,
            in: file,
            at: finding.place.map { TextPosition(line: $0.line, column: $0.column) },
            path: finding.place?.path ?? finding.error.place.shortenedForPeople,
            text ?? finding.error.findingText
        )
    }
}

extension HomeError {
    /// What is wrong and what would be right, in a sentence without its full stop.
    var findingText: String {
        "\(reasonText); \(remedyText)"
    }

    /// What is left out as long as an accessory is missing; it is wrong only if it is spelt wrong.
    fileprivate var waitingText: String {
        // There are so many of those that not all are told.
        guard code != .tooMany else { return findingText }
        let hint = ["Did you mean", "Say its"].contains(where: remedy.hasPrefix) ? "; \(remedyText)" : ""
        return "left out until the accessory is found: \(reasonText)\(hint)"
    }

    private var remedyText: String {
        var remedy = remedy
        if remedy.last == "." { remedy.removeLast() }
        return remedy.prefix(1).lowercased() + remedy.dropFirst()
    }

    private var reasonText: String {
        var reason = reason
        if reason.last == "." { reason.removeLast() }
        let starts = ["A ", "An ", "The ", "There ", "No ", "Nobody ", "It ", "Its ", "What ", "Something "]
        if starts.contains(where: reason.hasPrefix) {
            reason = reason.prefix(1).lowercased() + reason.dropFirst()
        }
        return reason
    }
}
