internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import PropertyLists

extension ArchiveReader {
    /// A service that was read, before the other services are known.
    struct ParsedService {
        var type: ServiceType
        var characteristics: [Characteristic]
        var isHidden: Bool
        var iid: InstanceID?
        /// The value by which other objects refer to the service.
        var archiveReference: PropertyList
        /// The references to its linked services.
        var linked: [PropertyList]
        var path: String
    }

    /// Reads a service.
    mutating func service(
        _ part: LocatedObject,
        type: ServiceType,
        reference: PropertyList
    ) throws(DocumentError) -> ParsedService {
        try warnAboutUnknown(in: part, classes: ArchivedClass.serviceNames, keys: Self.serviceKeys)
        var characteristics: [Characteristic] = []
        var types: Set<CharacteristicType> = []
        let places = try list("characteristics", of: part)
        for (position, place) in places.enumerated() {
            let path = "\(part.path).characteristics[\(position)]"
            guard case .object(let object) = try archive.value(place), let uuid = try self.type(of: object) else {
                warn(path, "this is not a characteristic with a type; it is left out")
                continue
            }
            let part = LocatedObject(object: object, path: path)
            let characteristic = try characteristic(part, type: CharacteristicType(uuid))
            guard types.insert(characteristic.type).inserted else {
                warn(path, "the service already has \(characteristic.type); this one is left out")
                continue
            }
            characteristics.append(characteristic)
        }
        return ParsedService(
            type: type,
            characteristics: characteristics,
            isHidden: try flag("hidden", of: part),
            iid: try instanceID(of: part),
            archiveReference: reference,
            linked: try list("linkedServices", of: part),
            path: part.path
        )
    }

    /// Returns the ids of an omitted service and of its characteristics.
    mutating func instanceIDs(of service: ArchivedObject) throws(DocumentError) -> [InstanceID] {
        var objects = [service]
        if case .list(let places) = try field("characteristics", of: service) {
            for place in places {
                if case .object(let object) = try archive.value(place) { objects.append(object) }
            }
        }
        var ids: [InstanceID] = []
        for object in objects {
            guard case .number(.unsigned(let number)) = try field("instanceid", of: object) else { continue }
            if number <= IdentifierMap.maximumID, let iid = InstanceID(number) { ids.append(iid) }
        }
        return ids
    }

    /// Assigns keys to the services, and converts references to services into keys.
    mutating func fileServices(
        _ services: [ParsedService],
        primary: PropertyList?,
        at path: String
    ) throws(DocumentError) -> [FileService] {
        let keys = ServiceKey.distinct(services.map { ($0.type, $0.characteristics.name) })
        var positions: [PropertyList: Int] = [:]
        for (position, service) in services.enumerated() where service.archiveReference.isReference {
            if positions.updateValue(position, forKey: service.archiveReference) != nil {
                warn(service.path, "the service is listed twice; both copies are kept")
            }
        }
        var documented = zip(services, keys)
            .map { service, key in
                FileService(
                    ServiceDescription(
                        key: key,
                        characteristics: service.characteristics,
                        isHidden: service.isHidden,
                        iid: service.iid
                    )
                )
            }
        for (position, service) in services.enumerated() {
            var targets: Set<Int> = []
            for place in service.linked {
                try archive.countVisits(1)
                guard let target = try self.position(of: place, in: services, positions), target != position else {
                    warn(
                        "\(service.path).linkedServices",
                        "this link does not refer to another service of the accessory; it is left out"
                    )
                    continue
                }
                if targets.insert(target).inserted {
                    documented[position].linked.append(keys[target])
                }
            }
        }
        if let primary, try archive.value(primary) != .null {
            if let target = try position(of: primary, in: services, positions) {
                documented[target].isPrimary = true
            } else {
                warn("\(path).primary", "this is not a service of the accessory; no service is primary")
            }
        }
        return documented
    }

    /// Returns the position of the service that a value refers to, or `nil` if there is none.
    private mutating func position(
        of place: PropertyList,
        in services: [ParsedService],
        _ positions: [PropertyList: Int]
    ) throws(DocumentError) -> Int? {
        if place.isReference { return positions[place] }
        // An inline object is a copy, which is identified by its id.
        guard case .object(let object) = try archive.value(place),
            case .number(.unsigned(let number)) = try field("instanceid", of: object),
            let iid = InstanceID(number)
        else { return nil }
        try archive.countVisits(services.count)
        return services.firstIndex { $0.iid == iid }
    }

    private mutating func flag(_ name: String, of part: LocatedObject) throws(DocumentError) -> Bool {
        try field(name, of: part, "is neither true nor false; false is used") { value in
            switch value {
            case .bool(let value): value
            case .number(0): false
            case .number(1): true
            default: nil
            }
        } ?? false
    }

    private static let serviceKeys: Set<String> = [
        "HAK.accessory", "HAK.characteristics", "HAK.hidden", "HAK.linkedServices", "HAK.uuid", "HAK.instanceid",
    ]
}

extension PropertyList {
    fileprivate var isReference: Bool {
        if case .uid = self { true } else { false }
    }
}
