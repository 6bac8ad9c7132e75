internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import YAMLDocuments

/// Reads accessories that people have written, in YAML or JSON.
///
/// The format is in `docs/definitions.md`.
enum DefinitionReader {
    /// The most bytes of the files that one file includes, together.
    private static let maximumIncludedSize = 4 << 20

    /// Reads a definition; everything that is wrong with it comes at once.
    static func read(
        _ bytes: [UInt8],
        name: String,
        include: (String) throws(DocumentError) -> [UInt8]?
    ) throws(DocumentError) -> AccessoryFileReading {
        var session = DefinitionSession()
        guard let (root, kind) = compose(bytes, in: name, &session.reader.diagnostics) else {
            throw DocumentError(session.reader.diagnostics.ordered)
        }
        let field = DocumentField(file: name, path: .root, node: root)
        load(from: field, &session, include)
        let document = session.document(field)
        let diagnostics = session.reader.diagnostics
        guard let document, !diagnostics.hasErrors else { throw DocumentError(diagnostics.ordered) }
        return AccessoryFileReading(kind: kind, document: document, warnings: diagnostics.ordered)
    }

    /// Whether a text is one that can be understood, within the limits for size and depth, whatever it says.
    static func isComposed(_ bytes: [UInt8], name: String) -> Bool {
        var findings = DiagnosticCollector()
        return compose(bytes, in: name, &findings) != nil
    }

    /// The root of a text in YAML or JSON, and which it is.
    static func compose(
        _ bytes: [UInt8],
        in file: String,
        _ findings: inout DiagnosticCollector
    ) -> (root: DocumentNode, kind: AccessoryFileKind)? {
        TextDocument.read(bytes, in: file, firstKey: "accessory", &findings)
            .map { ($0.root.node, $0.language == .json ? .json : .yaml) }
    }

    /// Reads the files that are included, each once.
    private static func load(
        from root: DocumentField,
        _ session: inout DefinitionSession,
        _ include: (String) throws(DocumentError) -> [UInt8]?
    ) {
        guard let accessories = root.node.mapping?.first(where: { $0.key == "accessories" }),
            case .sequence(let entries) = accessories.value.content
        else {
            return
        }
        var remaining = maximumIncludedSize
        var asked: Set<String> = []
        for (index, entry) in entries.prefix(AttributeDatabase.maximumAccessories).enumerated() {
            guard let member = entry.mapping?.first(where: { $0.key == "include" }),
                let path = member.value.scalar?.text, asked.insert(path).inserted
            else {
                continue
            }
            let field = root.member(accessories).element(entry, at: index).member(member)
            let content: [UInt8]?
            do throws(DocumentError) {
                content = try include(path)
            } catch {
                let reason = error.diagnostics.first?.reason ?? "name another file"
                session.reader.report(field, "\(path.quotedForPeople) cannot be read: \(reason)")
                continue
            }
            guard let bytes = content else {
                session.reader.report(field, "\(path.quotedForPeople) cannot be read; name a file beside this one")
                continue
            }
            remaining -= bytes.count
            guard remaining >= 0 else {
                session.reader.report(field, "the included files have more than 4 MiB together; include less")
                return
            }
            let file = path.resolved(beside: root.file)
            switch AccessoryFile.kind(of: bytes) {
            case .archive, .dump:
                session.reader.report(field, "this is no definition; make one of it with \"hap convert\"")
            case .yaml, .json:
                var findings = session.reader.diagnostics
                let composed = compose(bytes, in: file, &findings)
                // Nothing of another file, such as one with passwords, is repeated in a message.
                guard DocumentText.isDefinition(bytes, composed?.root) else {
                    session.reader.report(
                        field,
                        "\(path.quotedForPeople) is not a definition; name a file that begins with \"accessory: NAME\""
                    )
                    continue
                }
                session.reader.diagnostics = findings
                if let (node, _) = composed {
                    session.included[path] = DocumentField(file: file, path: .root, node: node)
                }
            }
        }
    }
}
