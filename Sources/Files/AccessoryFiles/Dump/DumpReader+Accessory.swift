internal import AccessoryModel
internal import HAPCore
internal import Simulation

extension DumpReader {
    /// An accessory that was read, before it is added to a document.
    struct ParsedAccessory {
        var path: String
        var aid: AccessoryID?
        var services: [FileService]

        /// The name in its Accessory Information service, if it can serve as a key.
        var name: String? {
            let name = services.first { $0.key.type == .accessoryInformation }?.name
            // Keys that begin with `#` are reserved for the server.
            return name.flatMap { 1...255 ~= $0.utf8.count && !$0.hasPrefix("#") ? $0 : nil }
        }

        /// The category according to its first service that users see.
        var category: AccessoryCategory {
            services.lazy.map { AccessoryCategory(primaryServiceType: $0.key.type) }.first { $0 != .other } ?? .other
        }
    }

    /// A service that was read, before the other services of its accessory are known.
    private struct ParsedService {
        var path: String
        var type: ServiceType
        var verbatimType: String?
        var iid: InstanceID?
        var characteristics: [ParsedCharacteristic]
        var isPrimary: Bool
        var isHidden: Bool
        var linked: [InstanceID]

        /// The value of its Name, if it can distinguish services.
        var name: String? {
            let name = characteristics.first { $0.characteristic.type == .name }?.characteristic.value?.string
            return name.flatMap { $0.utf8.count <= 64 ? $0 : nil }
        }
    }

    mutating func accessory(_ value: JSONValue, at path: String) -> ParsedAccessory? {
        guard let object = value.object else {
            diagnostics.addWarning(path, "this is not an accessory; it is left out")
            return nil
        }
        warnAboutUnknown(in: object, known: ["aid", "services", Self.nameKey], at: path)
        var services: [ParsedService] = []
        for (position, element) in list("services", of: object, at: path).enumerated() {
            if let service = service(element, at: "\(path).services[\(position)]") {
                services.append(service)
            }
        }
        assignIDs(&services, at: path)
        if !services.isEmpty, !services.contains(where: { $0.type == .accessoryInformation }) {
            diagnostics.addWarning(
                path,
                "it has no Accessory Information, so controllers may refuse it; it is served unchanged"
            )
        }
        return ParsedAccessory(
            path: path,
            aid: identifier("aid", of: object, at: path).flatMap { AccessoryID($0) },
            services: fileServices(services)
        )
    }

    private mutating func service(_ value: JSONValue, at path: String) -> ParsedService? {
        guard let object = value.object, let (uuid, writtenType) = type(of: object, at: path) else {
            diagnostics.addWarning(path, "this is not a service with a UUID as its type; it is left out")
            return nil
        }
        warnAboutUnknown(
            in: object,
            known: ["iid", "type", "characteristics", "primary", "hidden", "linked", Self.nameKey],
            at: path
        )
        var characteristics: [ParsedCharacteristic] = []
        for (position, element) in list("characteristics", of: object, at: path).enumerated() {
            if let found = characteristic(element, at: "\(path).characteristics[\(position)]") {
                characteristics.append(found)
            }
        }
        return ParsedService(
            path: path,
            type: ServiceType(uuid),
            verbatimType: writtenType,
            iid: identifier("iid", of: object, at: path).flatMap { InstanceID($0) },
            characteristics: characteristics,
            isPrimary: flag("primary", of: object, at: path),
            isHidden: flag("hidden", of: object, at: path),
            linked: linked(object, at: path)
        )
    }

    /// Omits characteristics whose id, or whose type in their service, is already in use, and assigns missing ids.
    private mutating func assignIDs(_ services: inout [ParsedService], at path: String) {
        var taken: Set<InstanceID> = []
        for position in services.indices {
            services[position].characteristics
                .removeAll { found in
                    guard let iid = found.characteristic.iid, !taken.insert(iid).inserted else { return false }
                    diagnostics.addWarning(
                        "\(found.path).iid",
                        "another characteristic also has the iid \(iid); no controller can address this one, so it "
                            + "is left out"
                    )
                    return true
                }
            var types: Set<CharacteristicType> = []
            services[position].characteristics
                .removeAll { found in
                    let type = found.characteristic.type
                    guard !types.insert(type).inserted else { return false }
                    let name = Catalog.characteristic(type)?.name ?? type.description
                    diagnostics.addWarning(found.path, "the service has another \(name); this one is left out")
                    return true
                }
        }
        for service in services {
            if let iid = service.iid, !taken.insert(iid).inserted {
                diagnostics.addWarning(
                    "\(service.path).iid",
                    "another object of the accessory also has the iid \(iid); both are served with it"
                )
            }
        }
        var ids = IDAllocator(besides: taken.map(\.rawValue))
        for position in services.indices {
            if services[position].iid == nil {
                services[position].iid = nextID(of: &ids, at: services[position].path)
            }
            for inner in services[position].characteristics.indices
            where services[position].characteristics[inner].characteristic.iid == nil {
                let path = services[position].characteristics[inner].path
                services[position].characteristics[inner].characteristic.iid = nextID(of: &ids, at: path)
            }
        }
    }

    private mutating func nextID(of ids: inout IDAllocator, at path: String) -> InstanceID? {
        let next = ids.nextOrSmallestID()
        diagnostics.addWarning(path, "it has no valid \"iid\"; it gets \(next)")
        return InstanceID(next)
    }

    /// Returns the services with distinct keys and with the links that have a target.
    private mutating func fileServices(_ services: [ParsedService]) -> [FileService] {
        let keys = ServiceKey.distinct(services.map { ($0.type, $0.name) })
        var keysByID: [InstanceID: ServiceKey] = [:]
        for (service, key) in zip(services, keys) {
            if let iid = service.iid, keysByID[iid] == nil { keysByID[iid] = key }
        }
        return zip(services, keys)
            .map { service, key in
                var linked: [ServiceKey] = []
                for iid in service.linked {
                    if let key = keysByID[iid] {
                        linked.append(key)
                    } else {
                        diagnostics.addWarning(
                            "\(service.path).linked",
                            "the accessory has no service \(iid); the link is left out"
                        )
                    }
                }
                var description = ServiceDescription(
                    key: key,
                    characteristics: service.characteristics.map(\.characteristic),
                    isPrimary: service.isPrimary,
                    isHidden: service.isHidden,
                    linked: linked,
                    iid: service.iid
                )
                description.verbatimType = service.verbatimType
                return FileService(description, simulation: .none)
            }
    }

    private mutating func linked(_ object: JSONObject, at path: String) -> [InstanceID] {
        switch object["linked"] {
        case nil, .null: return []
        case .array(let elements):
            return elements.compactMap { element in
                guard let iid = element.numericValue?.integer().flatMap({ InstanceID($0) }) else {
                    diagnostics.addWarning(
                        "\(path).linked",
                        "a link must be the iid of a service; other values are left out"
                    )
                    return nil
                }
                return iid
            }
        case .bool, .number, .string, .object:
            diagnostics.addWarning("\(path).linked", "links must be a list of iids; this is left out")
            return []
        }
    }
}
