internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import PropertyLists

/// Reads exports of Apple's HomeKit Accessory Simulator.
///
/// The reader follows the object graph from the root, by the keys that occur in real files. It does not visit an object
/// twice. Unknown content is omitted with a warning. A file is refused only if it is damaged, is not such an export, or
/// is too large.
struct ArchiveReader {
    let name: String
    var archive: KeyedArchive
    private var warnings = RepeatedDiagnostics()

    /// Reads a file.
    ///
    /// - Throws: ``DocumentError`` if the file contains no usable accessory.
    static func read(_ bytes: [UInt8], name: String) throws(DocumentError) -> AccessoryFileContents {
        let list = try PropertyListReader.read(bytes, name: name)
        var reader = ArchiveReader(name: name, archive: try KeyedArchive(list, name: name))
        let document = try reader.document()
        return AccessoryFileContents(kind: .archive, document: document, warnings: reader.warnings.diagnostics)
    }

    private mutating func document() throws(DocumentError) -> AccessoryDocument {
        guard case .dictionary(let root) = try archive.value(archive.root) else {
            throw error(
                "root",
                "the root is not a dictionary with an accessory; choose an export of Apple's "
                    + "HomeKit Accessory Simulator"
            )
        }
        guard let place = root["accessory"], case .object(let accessory) = try archive.value(place) else {
            throw error("accessory", "there is no accessory; choose an export of Apple's HomeKit Accessory Simulator")
        }
        if let kind = root["kind"], !(try archive.value(kind).isText("accessory")) {
            warn("kind", "this object is not marked as an accessory; it is read as one")
        }
        if let version = root["version"], try archive.value(version) != .number(1) {
            warn("version", "only version 1 is known; the file is read as version 1")
        }
        for entry in root.entries where !entry.key.isOne(of: ["kind", "version", "accessory"]) {
            warn("root", "the key \(entry.key.excerpt) is unknown; it is left out")
        }
        return try document(LocatedObject(object: accessory, path: "accessory"))
    }

    private mutating func document(_ part: LocatedObject) throws(DocumentError) -> AccessoryDocument {
        let path = part.path
        guard let primary = try accessory(part, isPrimary: true) else {
            throw error("\(path).services", "the accessory has no services; the file is damaged, so export it again")
        }
        let name = primary.name ?? String(titleOfFile: self.name)
        if primary.name == nil {
            warn("\(path).services", "the accessory has no name; the name of the file, \(name.excerpt), is used")
        }
        var document = AccessoryDocument(
            key: name,
            name: name,
            category: try category(of: part),
            accessories: [primary.fileAccessory(key: name)],
            deviceID: try deviceID(of: part),
            setupCode: try setupCode(of: part),
            setupID: try setupID(of: part),
            configurationNumber: try configurationNumber(of: part)
        )
        try addBridged(of: part, to: &document)
        document.addProtocolInformation { warn("\(path).services", $0) }
        return document
    }

    private mutating func addBridged(
        of part: LocatedObject,
        to document: inout AccessoryDocument
    ) throws(DocumentError) {
        let path = part.path(of: "bridgedAccessories")
        var keys = Set(document.accessories.map(\.key))
        var aids: Set<AccessoryID> = [.primary]
        let places = try list("bridgedAccessories", of: part)
        guard places.count < AttributeDatabase.maximumAccessories else {
            throw error(
                path,
                "there are \(places.count) bridged accessories; a bridge can have at most "
                    + "\(AttributeDatabase.maximumAccessories - 1)"
            )
        }
        for (position, place) in places.enumerated() {
            let path = "\(path)[\(position)]"
            guard case .object(let object) = try archive.value(place),
                var accessory = try accessory(LocatedObject(object: object, path: path), isPrimary: false)
            else {
                warn(path, "this is not an accessory; it is left out")
                continue
            }
            let bridged = LocatedObject(object: object, path: path)
            if !(try list("bridgedAccessories", of: bridged)).isEmpty {
                warn(
                    "\(path).bridgedAccessories",
                    "a bridged accessory cannot be a bridge; its accessories are left out"
                )
            }
            if let aid = accessory.aid, !aids.insert(aid).inserted {
                warn("\(path).instanceid", "another accessory has the id \(aid); this one gets a new id")
                accessory.aid = nil
            }
            try warnAboutServer(of: bridged, aid: accessory.aid, behind: document.deviceID)
            if accessory.name == nil {
                warn("\(path).services", "the accessory has no name; its id is derived from the bridge's name")
            }
            let key = (accessory.name ?? "\(document.name) \(document.accessories.count)").unique(among: &keys)
            document.accessories.append(accessory.fileAccessory(key: key))
        }
    }
}

extension ArchiveReader {
    func error(_ path: String, _ reason: String) -> DocumentError {
        DocumentError(in: name, path: path, reason)
    }

    /// Adds a warning for something that is omitted or changed.
    mutating func warn(_ path: String, _ reason: String) {
        warnings.add(Diagnostic(.warning, in: name, path: path, reason))
    }
}
