package import AccessoryModel
package import Documents
internal import PropertyLists

/// Reads and writes the content of files of every kind; it does not open files.
package enum AccessoryFile {
    /// The maximum number of bytes of a file, whatever its kind.
    package static let maximumSize = 4 << 20
    /// The name of the JSON Schema of definitions.
    package static let schemaName = DefinitionWriter.schema

    /// Reads a file.
    ///
    /// Its kind is detected from its content, not from its name.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The name of the file, for messages. If the main accessory of a dump has no name, it gets this name,
    ///     without folder and extension.
    ///   - device: The device ID of one device, for a file with the dumps of several devices.
    ///   - include: Returns the content of another file that this one includes, or `nil` if it does not exist; throws
    ///     the reason why it cannot be read.
    /// - Throws: ``DocumentError`` with all errors.
    package static func read(
        _ bytes: [UInt8],
        name: String,
        device: String? = nil,
        include: (String) throws(DocumentError) -> [UInt8]? = { _ in nil }
    ) throws(DocumentError) -> AccessoryFileContents {
        let kind = try checkedKind(of: bytes, name: name)
        if kind == .dump { return try DumpReader.read(bytes, name: name, device: device) }
        if let device {
            throw DocumentError(in: name, "this file describes one accessory server; leave #\(device.excerpt) out")
        }
        return kind == .archive
            ? try ArchiveReader.read(bytes, name: name)
            : try DefinitionReader.read(bytes, name: name, include: include)
    }

    /// Reads a file that a server is to serve; returns its contents, or all errors, including those of serving it.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The name of the file, for messages.
    ///   - include: As for ``read(_:name:device:include:)``.
    package static func readServable(
        _ bytes: [UInt8],
        name: String,
        include: (String) throws(DocumentError) -> [UInt8]?
    ) -> Result<AccessoryFileContents, DocumentError> {
        Result { () throws(DocumentError) in try read(bytes, name: name, include: include) }.servable(name: name)
    }

    /// Reads all devices of a file: each device of a file with several dumps, or else the only one.
    ///
    /// - Returns: The documents with their names. If there are several, each name is the file name, `#` and the device
    ///   ID, which `read` accepts. Otherwise it is the file name.
    package static func readAll(
        _ bytes: [UInt8],
        name: String,
        include: (String) throws(DocumentError) -> [UInt8]? = { _ in nil }
    ) -> [(name: String, reading: Result<AccessoryFileContents, DocumentError>)] {
        if bytes.count <= maximumSize, kind(of: bytes) == .dump { return DumpReader.readAll(bytes, name: name) }
        return [(name, Result { () throws(DocumentError) in try read(bytes, name: name, include: include) })]
    }

    /// Returns the kind of a file, after checking its size.
    private static func checkedKind(
        of bytes: [UInt8],
        name: String
    ) throws(DocumentError) -> AccessoryFileKind {
        guard bytes.count <= maximumSize else {
            throw DocumentError(in: name, "the file has \(bytes.count) bytes, but the maximum is \(maximumSize)")
        }
        return kind(of: bytes)
    }

    /// Throws an error if a file that was written would be too large to be read.
    static func checkSize(ofWritten bytes: [UInt8], name: String) throws(DocumentError) {
        guard bytes.count > maximumSize else { return }
        let fault = "the file would have \(bytes.count) bytes, but the maximum is \(maximumSize)"
        throw DocumentError(in: name, "\(fault); divide it into several files")
    }

    /// Writes a document; returns the bytes, and a warning for everything that this kind of file cannot express.
    ///
    /// - Parameter schema: The schema that a definition refers to, relative to the file; `nil` for none.
    /// - Throws: ``DocumentError`` if the document cannot be written as this kind of file.
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

    /// Returns the top-level keys of a text in YAML or JSON, each with its value as text, or `nil` for a list or a map.
    ///
    /// The result is empty if the text is neither.
    package static func topLevelScalars(of bytes: [UInt8], name: String) -> [String: String?] {
        var diagnostics = DiagnosticCollector()
        guard kind(of: bytes) == .yaml, let (root, _) = DefinitionReader.compose(bytes, in: name, &diagnostics) else {
            return [:]
        }
        let texts = (root.node.mapping ?? []).map { ($0.key, $0.value.scalar?.text) }
        return Dictionary(texts) { first, _ in first }
    }

    /// Returns whether a file is a definition, possibly with errors, so that messages may quote it.
    ///
    /// The other kinds are not recognized: any text that begins with `<` or `[` could be meant as one of them.
    package static func isDefinition(_ bytes: [UInt8]) -> Bool {
        kind(of: bytes) == .yaml && DocumentText.hasKey(among: DocumentText.definitionKeys, in: bytes)
    }

    /// Detects the kind of a file from its content.
    ///
    /// The result for a definition in JSON is `yaml`, too.
    package static func kind(of bytes: [UInt8]) -> AccessoryFileKind {
        if PropertyListReader.recognizes(bytes) { return .archive }
        return DumpReader.recognizes(bytes) ? .dump : .yaml
    }
}

/// The kinds of files.
package enum AccessoryFileKind: Sendable, Hashable, CaseIterable {
    /// A definition in YAML.
    case yaml
    /// A definition in JSON.
    case json
    /// An export of Apple's HomeKit Accessory Simulator.
    case archive
    /// The response of a device to `GET /accessories`.
    case dump

    /// The name of the kind on the command line and in the API.
    package var name: String {
        switch self {
        case .yaml: "yaml"
        case .json: "json"
        case .archive: "hasaccessory"
        case .dump: "dump"
        }
    }

    /// The extensions of files; of two extensions with the same ending, the longer one comes first.
    private static let extensions: [(text: String, kind: AccessoryFileKind)] = [
        (".yaml", .yaml), (".yml", .yaml), (".dump.json", .dump), (".json", .json), (".hasaccessory", .archive),
    ]

    /// The extensions of files without those that end in another one.
    package static let shortExtensions = extensions.map(\.text)
        .filter { text in !extensions.contains { $0.text != text && text.hasSuffix($0.text) } }

    /// The extension of files of this kind.
    package var fileExtension: String {
        Self.extensions.first { $0.kind == self }?.text ?? ""
    }

    /// Returns the kind of a file by its extension, or `nil` if the extension is not known.
    package init?(path: String) {
        let name = path.lowercased()
        guard let kind = Self.extensions.first(where: { name.hasSuffix($0.text) })?.kind else { return nil }
        self = kind
    }
}

/// The result of reading a file.
package struct AccessoryFileContents: Sendable, Hashable {
    /// The kind of the file.
    package var kind: AccessoryFileKind
    /// The content of the file.
    package var document: AccessoryDocument
    /// The warnings for unknown or unusual content.
    package var warnings: [Diagnostic]
    /// The number of characteristics that were added because their services require them.
    package var addedCharacteristicCount = 0

    /// Creates a result.
    package init(kind: AccessoryFileKind, document: AccessoryDocument, warnings: [Diagnostic] = []) {
        self.kind = kind
        self.document = document
        self.warnings = warnings
    }
}

extension AccessoryFileContents {
    /// The numbers of accessories, services and characteristics in words, and how many characteristics were added.
    package var summary: String {
        let services = document.accessories.flatMap(\.services)
        let counts = [
            count(document.accessories.count, "accessory", "accessories"),
            count(services.count, "service", "services"),
            count(services.reduce(0) { $0 + $1.characteristics.count }, "characteristic", "characteristics"),
        ]
        let added = addedCharacteristicCount
        let note = added == 0 ? "" : "; \(added) required \(added == 1 ? "one was" : "ones were") added"
        return counts.joined(separator: ", ") + note
    }

    private func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}

extension Result<AccessoryFileContents, DocumentError> {
    /// Returns the contents if a server can serve them, or else all errors.
    ///
    /// - Parameter name: The name of the file, for messages.
    package func servable(name: String) -> Self {
        guard case .success(let reading) = self else { return self }
        let errors = reading.document.servingErrors
        return errors.isEmpty ? self : .failure(DocumentError(errors, in: name, after: reading.warnings))
    }

    /// Returns the same with changed diagnostics.
    package func mapDiagnostics(_ change: (Diagnostic) -> Diagnostic) -> Self {
        switch self {
        case .success(var contents):
            contents.warnings = contents.warnings.map(change)
            return .success(contents)
        case .failure(let error): return .failure(DocumentError(error.diagnostics.map(change)))
        }
    }

    /// The diagnostics: the warnings of a file that can be used, or else all errors and warnings.
    package var diagnostics: [Diagnostic] {
        switch self {
        case .success(let contents): contents.warnings
        case .failure(let error): error.diagnostics
        }
    }
}

extension DocumentError {
    /// Creates the error of a file that no server can serve, with the warnings about it.
    package init(_ errors: [ModelError], in name: String, after warnings: [Diagnostic]) {
        self.init(warnings + errors.map { Diagnostic(.error, in: name, path: $0.path, $0.reason) })
    }
}
