package import Documents
internal import YAMLDocuments

/// Reads and writes files of every kind; opens none.
package enum AccessoryFile {
    /// The most bytes of a file that is read, whatever its kind.
    package static let maximumSize = 4 << 20
    /// The name of the JSON Schema of definitions.
    package static let schemaName = DefinitionWriter.schema

    /// Reads a file of any kind; which one, its content tells and not its name.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The file, as it was named, for findings; without folder and extension it is the name of a dump whose main accessory has none.
    ///   - device: The device ID of one device, in a file that holds the dumps of several.
    ///   - include: Gives the content of another file that this one names, `nil` when there is none; throws why it cannot be
    ///     read.
    /// - Throws: ``DocumentError`` with everything that is wrong.
    package static func read(
        _ bytes: [UInt8],
        name: String,
        device: String? = nil,
        include: (String) throws(DocumentError) -> [UInt8]? = { _ in nil }
    ) throws(DocumentError) -> AccessoryFileContents {
        let kind = try checkedKind(of: bytes, name: name)
        if kind == .dump { return try DumpReader.read(bytes, name: name, device: device) }
        if let device {
            throw DocumentError([
                Diagnostic(.error, in: name, "this file holds one accessory server; leave #\(device.excerpt) out")
            ])
        }
        return kind == .archive
            ? try ArchiveReader.read(bytes, name: name)
            : try DefinitionReader.read(bytes, name: name, include: include)
    }

    /// Reads every device of a file of any kind: each of a file that holds the dumps of several, or else the only one.
    ///
    /// - Returns: Each of several under the name of the file with `#` and its device ID, which `read` takes apart; the only
    ///   one under the name of the file.
    package static func readAll(
        _ bytes: [UInt8],
        name: String,
        include: (String) throws(DocumentError) -> [UInt8]? = { _ in nil }
    ) -> [(name: String, reading: Result<AccessoryFileContents, DocumentError>)] {
        do throws(DocumentError) {
            guard try checkedKind(of: bytes, name: name) != .dump else {
                return DumpReader.readAll(bytes, name: name)
            }
            return [(name, .success(try read(bytes, name: name, include: include)))]
        } catch {
            return [(name, .failure(error))]
        }
    }

    /// Returns the kind of a file that is not too large.
    private static func checkedKind(
        of bytes: [UInt8],
        name: String
    ) throws(DocumentError) -> AccessoryFileKind {
        guard bytes.count <= maximumSize else {
            throw DocumentError([
                Diagnostic(
                    .error,
                    in: name,
                    "the file has \(bytes.count) bytes; the most that is read are \(maximumSize)"
                )
            ])
        }
        return kind(of: bytes)
    }

    /// Writes a document; answers with the bytes, and with what this kind of file cannot express.
    ///
    /// - Parameter schema: The schema that a definition refers to, relative to the file; `nil` for none.
    /// - Throws: ``DocumentError`` when the document cannot be written as this kind at all.
    package static func write(
        _ document: AccessoryDocument,
        as kind: AccessoryFileKind,
        name: String,
        schema: String? = schemaName
    ) throws(DocumentError) -> (bytes: [UInt8], losses: [Diagnostic]) {
        let (bytes, losses) =
            switch kind {
            case .archive: try ArchiveWriter.write(document, name: name)
            case .dump: try DumpWriter.write(document, name: name)
            case .yaml: try DefinitionWriter.write(document, as: .yaml, name: name, schema: schema)
            case .json: try DefinitionWriter.write(document, as: .json, name: name, schema: schema)
            }
        return (bytes, RepeatedDiagnostics(losses).diagnostics)
    }

    /// The keys at the top of a text in YAML or JSON, each with its text, `nil` for a list or a map; none of what is no such
    /// text.
    package static func topLevelScalars(of bytes: [UInt8], name: String) -> [String: String?] {
        var diagnostics = DiagnosticCollector()
        guard kind(of: bytes) == .yaml, let (root, _) = DefinitionReader.compose(bytes, in: name, &diagnostics) else {
            return [:]
        }
        let texts = (root.mapping ?? []).map { ($0.key, $0.value.scalar?.text) }
        return Dictionary(texts) { first, _ in first }
    }

    /// What keeps a text in YAML from being understood, with its limits for size, depth and aliases; nothing of one that can.
    package static func syntaxErrors(in bytes: [UInt8], name: String, firstKey: String) -> [Diagnostic] {
        var diagnostics = DiagnosticCollector()
        _ = TextDocument.read(bytes, in: name, firstKey: firstKey, &diagnostics)
        return diagnostics.ordered.filter { $0.severity == .error }
    }

    /// The kind of a file, by how it begins; a definition in JSON counts as one in YAML.
    package static func kind(of bytes: [UInt8]) -> AccessoryFileKind {
        if PropertyListReader.recognizes(bytes) { return .archive }
        return DumpReader.recognizes(bytes) ? .dump : .yaml
    }
}

/// What kinds of files there are.
package enum AccessoryFileKind: Sendable, Hashable, CaseIterable {
    /// A definition in YAML.
    case yaml
    /// A definition in JSON.
    case json
    /// An export of Apple's HomeKit Accessory Simulator.
    case archive
    /// The answer of a device to `GET /accessories`.
    case dump
}

/// What came out of a file.
package struct AccessoryFileContents: Sendable, Hashable {
    /// What the file is.
    package var kind: AccessoryFileKind
    /// What it says.
    package var document: AccessoryDocument
    /// What was not understood or is unusual; none is an error.
    package var warnings: [Diagnostic]
    /// The number of characteristics that were added because their services require them.
    package var addedCharacteristicCount = 0

    /// Creates a reading.
    package init(kind: AccessoryFileKind, document: AccessoryDocument, warnings: [Diagnostic] = []) {
        self.kind = kind
        self.document = document
        self.warnings = warnings
    }
}
