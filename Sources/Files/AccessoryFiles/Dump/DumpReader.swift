internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Reads the responses of devices to `GET /accessories`, in every shape of ``AccessoriesJSON`` and ``DumpCollection``.
///
/// A dump is not corrected: unusual parts cause a warning and are served unchanged. A missing format, permission or id
/// is added, because the protocol requires it. An object that a controller cannot address is left out, and so is a second
/// characteristic of one type in a service, which names cannot distinguish. The reader refuses only text that is not
/// JSON, more accessories than a server can have, and a dump without any service.
struct DumpReader {
    let name: String
    var diagnostics: DumpDiagnostics

    /// The limits of a dump: enough for 150 accessories with more than 100 characteristics each.
    private static let limits = JSONLimits(maximumValues: 300_000, allowsTrailingCommas: true)

    private init(name: String) {
        self.name = name
        diagnostics = DumpDiagnostics(name: name)
    }

    /// Returns whether a file is a dump and not a definition in JSON.
    ///
    /// The first bytes and the keys of the first levels decide this.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        DumpDetector(bytes).isDump
    }

    /// Reads the dump of one device.
    ///
    /// - Parameter device: The device ID, if the file contains several devices; the others are not read.
    /// - Throws: ``DocumentError`` with all reasons to refuse the dump.
    static func read(
        _ bytes: [UInt8],
        name: String,
        device: String? = nil
    ) throws(DocumentError) -> AccessoryFileContents {
        try located(bytes, device) { () throws(DocumentError) in
            try read(parse(bytes, name: name), name: name, device: device)
        }
        .get()
    }

    /// Reads all devices of a file.
    ///
    /// If there are several, the name of each device is the file name, `#` and the device ID.
    static func readAll(
        _ bytes: [UInt8],
        name: String
    ) -> [(name: String, reading: Result<AccessoryFileContents, DocumentError>)] {
        let root = Result { () throws(DocumentError) in try parse(bytes, name: name) }
        guard let collection = (try? root.get()).flatMap({ DumpCollection($0) }), collection.devices.count > 1 else {
            let reading = located(bytes, nil) { () throws(DocumentError) in
                try read(root.get(), name: name, device: nil)
            }
            return [(name, reading)]
        }
        // The first device that can be served has them.
        var warnings = collection.warnings(name: name)
        return collection.devices.map { device in
            let name = "\(name)#\(device.id ?? "")"
            var reading = located(bytes, device.id) { () throws(DocumentError) in
                try contents(of: device, name: name)
            }
            if case .success(var contents) = reading {
                contents.warnings += warnings
                warnings = []
                reading = .success(contents)
            }
            return (name, reading)
        }
    }

    /// Reads a device, and adds the positions in the text to its diagnostics.
    private static func located(
        _ bytes: [UInt8],
        _ device: String?,
        _ read: () throws(DocumentError) -> AccessoryFileContents
    ) -> Result<AccessoryFileContents, DocumentError> {
        let reading = Result(catching: read)
        guard reading.diagnostics.contains(where: DumpLocator.canLocate),
            let locator = DumpLocator(bytes, device: device)
        else { return reading }
        return reading.mapDiagnostics(locator.locating)
    }

    private static func read(
        _ root: JSONValue,
        name: String,
        device: String?
    ) throws(DocumentError) -> AccessoryFileContents {
        guard let collection = DumpCollection(root) else {
            guard let device else { return try contents(of: root, id: nil, name: name) }
            throw DocumentError(
                in: name,
                "this is the dump of one device; leave #\(device.excerpt) out of the file name"
            )
        }
        let devices = collection.devices
        guard !devices.isEmpty else {
            throw DocumentError(
                in: name,
                "the file contains no device; pair Home Assistant with a HomeKit device first"
            )
        }
        if let chosen = collection.device(device) {
            var contents = try contents(of: chosen, name: name)
            if device == nil { contents.warnings += collection.warnings(name: name) }
            return contents
        }
        let ids = devices.prefix(20).compactMap(\.id).map { "#\($0.excerpt.dropFirst().dropLast())" }
        let list = ids.joined(separator: ", ") + (devices.count > ids.count ? " …" : "")
        let reason =
            device == nil
            ? "the file contains \(devices.count) devices"
            : "the file contains no device \(device?.excerpt ?? "")"
        throw DocumentError(in: name, "\(reason); append one of these to the file name: \(list)")
    }

    private static func parse(_ bytes: [UInt8], name: String) throws(DocumentError) -> JSONValue {
        let text = bytes.starts(with: DumpDetector.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
        do throws(ProtocolError) {
            return try JSONValue(parsing: text, limits: limits)
        } catch {
            let offset = error.location.split(separator: " ").last.flatMap { Int($0) }.map { min($0, text.count) }
            throw DocumentError(
                in: name,
                at: offset.map { TextPosition(ofByteAt: $0, in: text) },
                DumpSyntaxError.reason(of: error, at: offset ?? text.count, in: text, within: limits)
            )
        }
    }

    private static func contents(
        of device: DumpCollection.Device,
        name: String
    ) throws(DocumentError) -> AccessoryFileContents {
        try contents(of: device.accessories, id: device.id, name: name)
    }

    /// Reads one device.
    ///
    /// - Parameter id: The device ID in the file, or `nil` if it is missing.
    private static func contents(
        of root: JSONValue,
        id: String?,
        name: String
    ) throws(DocumentError) -> AccessoryFileContents {
        guard !HomebridgeCache.recognizes(root) else { throw DocumentError(in: name, HomebridgeCache.refusalReason) }
        var reader = DumpReader(name: name)
        let document = reader.document(root, id: id)
        let warnings = try reader.diagnostics.finish()
        guard let document else {
            preconditionFailure("without an error there is a document")
        }
        return AccessoryFileContents(kind: .dump, document: document, warnings: warnings)
    }

    /// Returns the accessories of the device.
    ///
    /// The key of its state contains its device ID, and so does not depend on the other devices of the file: a device
    /// must never get the pairings of another one.
    private mutating func document(_ root: JSONValue, id: String?) -> AccessoryDocument? {
        guard let list = list(root) else { return nil }
        guard list.count <= AttributeDatabase.maximumAccessories else {
            diagnostics.addError(
                "accessories",
                "\(list.count) accessories are more than the \(AttributeDatabase.maximumAccessories) that HAP allows"
            )
            return nil
        }
        var accessories: [ParsedAccessory] = []
        for (position, element) in list.enumerated() {
            if let accessory = accessory(element, at: "accessories[\(position)]") {
                accessories.append(accessory)
            }
        }
        assignIDs(&accessories)
        guard let main = accessories.first(where: { $0.aid == .primary }) ?? accessories.first else {
            diagnostics.addError(
                "",
                "the file contains no accessory; save the response of the device to GET /accessories"
            )
            return nil
        }
        guard accessories.contains(where: { !$0.services.isEmpty }) else {
            diagnostics.addError("", "no accessory has a service; save the response of the device to GET /accessories")
            return nil
        }
        let title = main.name ?? id ?? String(titleOfFile: name)
        var keys: Set<String> = []
        let documented = accessories.map { accessory in
            let fallback = "Accessory \(accessory.aid?.rawValue ?? 0)"
            let key = (accessory.name ?? fallback).unique(among: &keys)
            return FileAccessory(key: key, services: accessory.services, aid: accessory.aid)
        }
        let isBridge = accessories.count > 1
        return AccessoryDocument(
            key: id.map { $0 == title ? title : "\(title) \($0)" } ?? title,
            name: title,
            category: isBridge ? .bridge : main.category,
            accessories: documented,
            isVerbatim: true
        )
    }

    private mutating func list(_ root: JSONValue) -> [JSONValue]? {
        guard root.array != nil || root.object != nil else {
            diagnostics.addError(
                "",
                "this is not a dump; a dump is an array of accessories, or an object with \"accessories\""
            )
            return nil
        }
        guard let list = AccessoriesJSON.accessories(in: root) else {
            diagnostics.addError("accessories", "a dump must have an array of accessories here")
            return nil
        }
        if let object = root.object {
            if object["accessories"]?.array == nil {
                diagnostics.addWarning(
                    "",
                    "a device's response is an object with an array \"accessories\"; the file is read as if it were one"
                )
            }
            for member in object.members
            where object["aid"] == nil && member.key != "accessories" && member.key != "data" {
                diagnostics.addIgnoredMember(member.key, at: member.key.excerpt)
            }
        }
        return list
    }

    /// Assigns missing aids, and omits accessories whose aid is already in use.
    private mutating func assignIDs(_ accessories: inout [ParsedAccessory]) {
        var taken: Set<AccessoryID> = []
        accessories = accessories.filter { accessory in
            guard let aid = accessory.aid, !taken.insert(aid).inserted else { return true }
            diagnostics.addWarning(
                "\(accessory.path).aid",
                "another accessory also has the aid \(aid); no controller can address this one, so it is left out"
            )
            return false
        }
        var ids = IDAllocator(besides: taken.map(\.rawValue))
        for position in accessories.indices where accessories[position].aid == nil {
            let next = ids.nextOrSmallestID()
            accessories[position].aid = AccessoryID(next)
            diagnostics.addWarning(accessories[position].path, "it has no valid \"aid\"; it gets \(next)")
        }
    }
}
