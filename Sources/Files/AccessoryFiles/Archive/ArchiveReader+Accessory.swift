internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import PropertyLists

extension ArchiveReader {
    /// An accessory that was read, before it is added to a document.
    struct ParsedAccessory {
        /// The name in its Accessory Information service.
        var name: String?
        var services: [FileService]
        var aid: AccessoryID?

        func fileAccessory(key: String) -> FileAccessory {
            FileAccessory(key: key, services: services, aid: aid)
        }
    }

    /// Reads an accessory; returns `nil` if it has no services.
    mutating func accessory(_ part: LocatedObject, isPrimary: Bool) throws(DocumentError) -> ParsedAccessory? {
        try warnAboutUnknown(in: part, classes: ["HAKAccessory"], keys: Self.accessoryKeys)
        guard case .list(let places) = try field("services", of: part.object) else { return nil }
        var services: [ParsedService] = []
        var pairing: [InstanceID] = []
        for (position, place) in places.enumerated() {
            let path = "\(part.path).services[\(position)]"
            guard case .object(let service) = try archive.value(place), let uuid = try type(of: service) else {
                warn(path, "this is not a service with a type; it is left out")
                continue
            }
            let type = ServiceType(uuid)
            if type == .pairing {
                // This service is for Bluetooth. Over IP, pairing uses URLs.
                pairing += try instanceIDs(of: service)
            } else if type == .protocolInformation, !isPrimary {
                warn(path, "only the server's first accessory has HAP Protocol Information; it is left out")
            } else {
                guard services.count < AttributeDatabase.maximumServices else {
                    throw error(path, "an accessory has at most \(AttributeDatabase.maximumServices) services")
                }
                let service = LocatedObject(object: service, path: path)
                services.append(try self.service(service, type: type, reference: place))
            }
        }
        let pool = try integer("idPool", of: part)
        assignIDs(&services, besides: pairing, pool: pool ?? 0, at: part.path)
        let documented = try fileServices(services, primary: part.object.fields["HAK.primary"], at: part.path)
        let information = documented.first { $0.key.type == .accessoryInformation }
        return ParsedAccessory(
            name: information?.name,
            services: documented,
            aid: try accessoryID(of: part, isPrimary: isPrimary)
        )
    }

    private mutating func accessoryID(
        of part: LocatedObject,
        isPrimary: Bool
    ) throws(DocumentError) -> AccessoryID? {
        let aid = try integer("instanceid", of: part, "is not a valid accessory id; a new one will be assigned") {
            number in
            number <= IdentifierMap.maximumID ? AccessoryID(number) : nil
        }
        guard let aid else { return nil }
        guard !isPrimary || aid == .primary else {
            warn(part.path(of: "instanceid"), "the server's first accessory must have the id 1, not \(aid); 1 is used")
            return .primary
        }
        return aid
    }

    /// Assigns new ids to objects without an id or with the id of another object.
    ///
    /// If no object has an id, the server assigns them.
    ///
    /// Controllers may still know the ids of objects that were deleted in HAS. New ids are therefore at least `pool`,
    /// the next id that HAS would assign. Accessory Information gets 1, which HAP requires, unless another object has
    /// it.
    private mutating func assignIDs(
        _ services: inout [ParsedService],
        besides pairing: [InstanceID],
        pool: UInt64,
        at path: String
    ) {
        let all = services.flatMap { [$0.iid] + $0.characteristics.map(\.iid) }.compactMap(\.self)
        guard !all.isEmpty else { return }
        let greatest = (all + pairing).map(\.rawValue).max() ?? 0
        var ids = IDAllocator(after: max(greatest + 1, pool) - 1)
        let begin = ids.last
        var taken = Set(pairing)
        func settled(_ iid: InstanceID?) -> InstanceID? {
            if let iid, taken.insert(iid).inserted { return iid }
            return ids.nextFreeID().flatMap { InstanceID($0) }
        }
        let isFirstFree = !(all + pairing).contains(.accessoryInformation)
        for position in services.indices {
            let service = services[position]
            let isInformation = isFirstFree && service.type == .accessoryInformation
            let iid = settled(service.iid ?? (isInformation ? .accessoryInformation : nil))
            if iid != service.iid {
                warn(service.path, "it has no unique id; \(iid?.description ?? "none") is assigned")
            }
            services[position].iid = iid
            for index in service.characteristics.indices {
                let iid = settled(service.characteristics[index].iid)
                if iid != service.characteristics[index].iid {
                    let type = service.characteristics[index].type
                    warn(service.path, "\(type) has no unique id; \(iid?.description ?? "none") is assigned")
                }
                services[position].characteristics[index].iid = iid
            }
        }
        if ids.last == begin, begin > greatest {
            warn(
                "\(path).idPool",
                "the next id of the export, \(pool), is not stored; new objects get ids above \(greatest)"
            )
        }
    }

    private static let accessoryKeys: Set<String> = [
        "HAK.category", "HAK.services", "HAK.idPool", "HAK.accessoryVersion", "HAK.transports",
        "HAK.bridgedAccessories",
        "HAK.bridge", "HAK.primary", "HAK.identifier", "HAK.password", "HAK.setupID", "HAK.instanceid",
    ]
}
