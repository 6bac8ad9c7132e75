internal import Documents

/// The files that a definition includes; each is read once, and they share limits.
struct IncludedFiles {
    /// The files by their names as written; `nil` for a file that cannot be read.
    private var files: [String: DocumentField?] = [:]
    /// The remaining number of bytes of all files.
    private var remainingBytes = DefinitionReader.maximumIncludedSize
    /// The remaining number of values of all files; the values of a file count each time that it is included.
    private var remainingNodes = 2 * DocumentText.maximumNodes

    /// Reads a file, unless it was read before, and reports its errors.
    ///
    /// - Parameter include: Returns the content of the file.
    mutating func load(
        _ path: Located<String>,
        _ reader: inout DocumentReader,
        _ include: (String) throws(DocumentError) -> [UInt8]?
    ) {
        guard files[path.value] == nil else { return }
        files[path.value] = .some(file(path, &reader, include))
    }

    private mutating func file(
        _ path: Located<String>,
        _ reader: inout DocumentReader,
        _ include: (String) throws(DocumentError) -> [UInt8]?
    ) -> DocumentField? {
        guard remainingBytes >= 0 else { return nil }
        let location = path.location ?? SourceLocation(file: path.value)
        let name = path.value.quotedForDisplay
        let content: [UInt8]?
        do throws(DocumentError) {
            content = try include(path.value)
        } catch {
            reader.report(
                at: location,
                "\(name) cannot be read: \(error.diagnostics.first?.reason ?? "name another file")"
            )
            return nil
        }
        guard let bytes = content else {
            reader.report(at: location, "\(name) cannot be read; name a file in the folder of this one")
            return nil
        }
        remainingBytes -= min(bytes.count, remainingBytes + 1)
        guard remainingBytes >= 0 else {
            reader.report(
                at: location,
                "the included files have more than 4 MiB together; include fewer or smaller files"
            )
            return nil
        }
        guard AccessoryFile.kind(of: bytes) == .yaml else {
            reader.report(at: location, "this file is not a definition; convert it to .yaml")
            return nil
        }
        let file = path.value.resolved(relativeTo: location.file)
        var diagnostics = reader.diagnostics
        let root = DefinitionReader.compose(bytes, in: file, &diagnostics)?.root
        // The message quotes nothing from the file, which may contain passwords.
        guard DocumentText.isDefinition(bytes, root?.node) else {
            reader.report(at: location, "\(name) is not a definition; name a file that begins with \"accessory: NAME\"")
            return nil
        }
        reader.diagnostics = diagnostics
        return root
    }

    /// Returns the accessory of the file that an entry includes, with the entry's own properties; reports its errors.
    mutating func accessory(includedBy entry: DefinedAccessory, _ reader: inout DocumentReader) -> DefinedAccessory? {
        guard let path = entry.include, let root = files[path.value] ?? nil else { return nil }
        remainingNodes -= root.node.valueCount
        guard remainingNodes >= 0 else {
            reader.report(
                at: path.location ?? entry.location,
                "the included files have too many values together; include fewer or smaller files"
            )
            return nil
        }
        guard let members = reader.definitionMembers(root) else { return nil }
        if members.contains(where: { $0.key == "bridge" }) {
            reader.report(root, "a bridge cannot be behind another bridge; include its accessories")
            return nil
        }
        let format = DefinedAccessory.format(of: .included, isVerbatim: false)
        guard var accessory = format.read(root, &reader) else { return nil }
        if let verbatim = accessory.verbatim, verbatim.value {
            reader.report(
                at: verbatim.location ?? accessory.location,
                "a verbatim accessory cannot be behind a bridge; remove \"verbatim\" in its file"
            )
        }
        accessory.name = entry.name ?? accessory.name
        accessory.id = entry.id ?? accessory.id
        accessory.aid = entry.aid
        accessory.location = entry.location
        return accessory
    }
}

extension DocumentReader {
    /// Returns the members of a definition; reports an error if there are none.
    mutating func definitionMembers(_ root: DocumentField) -> [DocumentMember]? {
        if root.node.mapping == nil {
            report(root, "\(root.node.kind) stands where a map is expected; begin with \"accessory: NAME\"")
        }
        return root.node.mapping
    }
}

extension DocumentNode {
    /// The number of values, including this one.
    fileprivate var valueCount: Int {
        switch content {
        case .scalar: 1
        case .sequence(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .mapping(let members): members.reduce(1) { $0 + 1 + $1.value.valueCount }
        }
    }
}
