internal import HAPCore

/// Writes accessories as people would write them, in YAML or JSON.
///
/// The same text each time. Left away is what ``DefinitionReader`` would take anyway, and what was written is read again
/// to see that it says the same.
enum DefinitionWriter {
    /// Writes a document, with what a definition cannot say of it.
    static func write(
        _ document: AccessoryDocument,
        as kind: AccessoryFileKind,
        name: String
    ) -> (bytes: [UInt8], losses: [FileFinding]) {
        var losses: [FileFinding] = []
        if !document.isVerbatim {
            let bytes = text(document, as: kind)
            do throws(AccessoryFileError) {
                let again = try DefinitionReader.read(bytes, name: name) { _ in nil }
                return (bytes, DocumentDifference.all(from: document, to: again.document, in: name))
            } catch {
                losses = error.findings.filter { $0.severity == .error }
                    .map { finding in
                        FileFinding(
                            .warning,
                            in: name,
                            path: finding.path,
                            "a definition is refused here, so it is written as \"verbatim\": \(finding.reason)"
                        )
                    }
            }
        }
        var verbatim = document
        verbatim.isVerbatim = true
        let bytes = text(verbatim, as: kind)
        do throws(AccessoryFileError) {
            let again = try DefinitionReader.read(bytes, name: name) { _ in nil }
            losses += DocumentDifference.all(from: verbatim, to: again.document, in: name)
        } catch {
            losses += error.findings.map { finding in
                FileFinding(.warning, in: name, path: finding.path, "this cannot be read again: \(finding.reason)")
            }
        }
        return (bytes, losses)
    }

    private static func text(_ document: AccessoryDocument, as kind: AccessoryFileKind) -> [UInt8] {
        let members = DefinitionEncoder.members(of: document)
        let text =
            switch kind {
            case .json: JSONEmitter.text([.init(AccessoryKey.schema.rawValue, .text(schema))] + members)
            case .yaml, .archive, .dump:
                YAMLEmitter.text(members, below: "# yaml-language-server: $schema=\(schema)")
            }
        return Array(text.utf8)
    }

    /// Where editors find the schema: beside the definitions.
    private static let schema = "accessory.schema.json"
}
