internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import PropertyLists

/// Writes exports of Apple's HomeKit Accessory Simulator, with the classes, keys and order of objects of real exports.
struct ArchiveWriter {
    private let assignedIDs: ArchiveIDAssigner
    private var archiver = KeyedArchiver()
    /// The bridge, which every bridged accessory refers to.
    private var bridge: PropertyList = KeyedArchiver.null

    /// Writes a document; returns the bytes, and a warning for everything that is lost or was generated.
    ///
    /// - Throws: ``DocumentError`` if the document has no accessory, if two of its objects have the same id, or if the
    ///   file would be too large.
    static func write(
        _ document: AccessoryDocument,
        name: String
    ) throws(DocumentError) -> (bytes: [UInt8], losses: [Diagnostic]) {
        guard !document.accessories.isEmpty else {
            throw DocumentError(in: name, "there is no accessory to write")
        }
        var losses: [Diagnostic] = []
        let complete = document.completedForHAS { losses.append(Diagnostic(.warning, in: name, path: $0, $1)) }
        let numbering = try ArchiveIDAssigner(complete, name: name)
        var writer = ArchiveWriter(assignedIDs: numbering)
        let bytes = BinaryPropertyListWriter.write(writer.archive())
        try AccessoryFile.checkSize(ofWritten: bytes, name: name)
        // The file is read again and compared, so that every loss is reported.
        let stored = try ArchiveReader.read(bytes, name: name).document
        losses += DocumentDifference.differences(
            from: numbering.document.withDefaults(from: stored),
            to: stored,
            in: name
        )
        let faults = stored.servingErrors
        losses += faults.prefix(100)
            .map { fault in
                let reason =
                    "the new file cannot be served, because this format has no \"verbatim\"; convert to .yaml instead: "
                    + fault.reason
                return Diagnostic(.warning, in: name, path: fault.path, reason)
            }
        if faults.count > 100 {
            losses.append(
                Diagnostic(.warning, in: name, "\(faults.count - 100) more errors prevent serving the new file")
            )
        }
        return (bytes, losses)
    }

    private mutating func archive() -> PropertyList {
        let root = archiver.reserve()
        let keys = ["kind", "version", "accessory"].map { archiver.reference(.text($0)) }
        let values = [
            archiver.reference(PropertyList.text("accessory")), archiver.reference(PropertyList.unsigned(1)),
            primaryAccessory(),
        ]
        archiver.fill(
            root,
            ["NS.keys": .array(keys), "NS.objects": .array(values), "$class": archiver.reference(to: .dictionary)]
        )
        return archiver.finish(root: root)
    }

    private mutating func primaryAccessory() -> PropertyList {
        let uid = archiver.reserve()
        let document = assignedIDs.document
        bridge = .uid(uid)
        var parts = AccessoryFields(identifier: identifier(document.deviceID))
        parts.category = document.category
        parts.password = document.setupCode.map { archiver.reference(PropertyList.text($0.text)) } ?? KeyedArchiver.null
        let services = services(of: document.accessories[0], owner: uid, isPrimary: true)
        parts.transports = archiver.list { archiver in
            [Self.transport(of: document, primary: uid, in: &archiver)]
        }
        let bridged = archiver.reserve()
        let others = document.accessories.dropFirst().map { bridgedAccessory($0) }
        archiver.fill(
            bridged,
            ["NS.objects": .array(others), "$class": archiver.reference(to: .mutableArray)]
        )
        parts.bridged = .uid(bridged)
        parts.setupID = document.setupID.map { archiver.reference(PropertyList.text($0.text)) } ?? KeyedArchiver.null
        fillAccessory(uid, document.accessories[0], services, parts)
        return .uid(uid)
    }

    private mutating func bridgedAccessory(_ accessory: FileAccessory) -> PropertyList {
        let uid = archiver.reserve()
        let identity = DerivedIdentity(behind: assignedIDs.document.deviceID, aid: accessory.aid)
        var parts = AccessoryFields(identifier: identifier(identity.deviceID))
        let services = services(of: accessory, owner: uid, isPrimary: false)
        parts.transports = archiver.list { _ in [] }
        parts.bridged = archiver.list { _ in [] }
        parts.bridge = bridge
        fillAccessory(uid, accessory, services, parts)
        return .uid(uid)
    }

    /// The properties that differ between the server's own accessory and bridged ones.
    private struct AccessoryFields {
        var identifier: PropertyList
        var category = AccessoryCategory.other
        var transports = KeyedArchiver.null
        var bridged = KeyedArchiver.null
        /// The bridge of a bridged accessory.
        var bridge = KeyedArchiver.null
        var password = KeyedArchiver.null
        var setupID = KeyedArchiver.null
    }

    private mutating func fillAccessory(
        _ uid: UInt32,
        _ accessory: FileAccessory,
        _ services: (list: PropertyList, primary: PropertyList),
        _ parts: AccessoryFields
    ) {
        let isPrimary = parts.bridge == KeyedArchiver.null
        let aid = archiver.reference(PropertyList.unsigned((accessory.aid ?? .primary).rawValue))
        archiver.fill(
            uid,
            [
                "HAK.category": .unsigned(UInt64(parts.category.rawValue)),
                "HAK.services": services.list,
                "HAK.idPool": .unsigned(assignedIDs.nextInstanceID(in: accessory, isPrimary: isPrimary)),
                "HAK.accessoryVersion": 1,
                "HAK.bridge": parts.bridge,
                "HAK.transports": parts.transports,
                "$class": archiver.reference(to: .accessory),
                "HAK.bridgedAccessories": parts.bridged,
                "HAK.primary": services.primary,
                "HAK.identifier": parts.identifier,
                "HAK.password": parts.password,
                "HAK.instanceid": aid,
                "HAK.setupID": parts.setupID,
            ]
        )
    }

    private mutating func identifier(_ deviceID: DeviceID?) -> PropertyList {
        guard let deviceID else { return KeyedArchiver.null }
        let uid = archiver.reserve()
        let bytes = deviceID.text.split(separator: ":").compactMap { UInt8($0, radix: 16) }
        let data = archiver.reference(PropertyList.data(bytes))
        archiver.fill(uid, ["HAK.data": data, "$class": archiver.reference(to: .identifier)])
        return .uid(uid)
    }

    private mutating func services(
        of accessory: FileAccessory,
        owner: UInt32,
        isPrimary: Bool
    ) -> (list: PropertyList, primary: PropertyList) {
        var services = ServiceArchiver(of: accessory, pairingServiceIDs: isPrimary ? assignedIDs.pairingServiceIDs : [])
        return services.write(owner: owner, into: &archiver)
    }

    private static func transport(
        of document: AccessoryDocument,
        primary: UInt32,
        in archiver: inout KeyedArchiver
    ) -> PropertyList {
        let uid = archiver.reserve()
        let configuration = archiver.decimal(JSONNumber(document.configurationNumber ?? 1)) ?? KeyedArchiver.null
        let version = archiver.reserve()
        archiver.fill(
            version,
            [
                "$class": archiver.reference(to: .protocolVersion),
                "HAK.protocolVersion.major": 1,
                "HAK.protocolVersion.minor": 1,
                "HAK.protocolVersion.patch": 0,
            ]
        )
        let greatest = document.accessories.compactMap { $0.aid?.rawValue }.max() ?? 1
        archiver.fill(
            uid,
            [
                "$class": archiver.reference(to: .transport),
                "HAK.config": configuration,
                "HAK.started": true,
                "HAK.protocolVersion": .uid(version),
                "HAK.idPool": .unsigned(greatest + 1),
                "HAK.primaryAccessory": .uid(primary),
                "HAK.state": archiver.reference(PropertyList.unsigned(1)),
                "HAK.transportVersion": 4,
            ]
        )
        return .uid(uid)
    }
}
