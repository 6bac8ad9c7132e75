internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

extension DefinitionSession {
    /// What an accessory is among those of its server.
    enum Role {
        /// The only one.
        case alone
        /// The bridge.
        case bridge
        /// One behind a bridge.
        case bridged
    }

    /// What stands beside `include`, in the place of what the file says.
    struct Replacement {
        var name: DocumentField?
        var id: DocumentField?
        var aid: DocumentField?
    }

    /// An accessory with everything that follows from what is written; `fixed` numbers what has no id.
    ///
    /// - Parameters:
    ///   - map: What is written.
    ///   - role: What it is among those of its server.
    ///   - isFixed: Whether ids that are not written are the next ones for good, unless it says otherwise itself.
    ///   - replacement: What is said of an included accessory beside its file.
    mutating func accessory(
        _ map: DocumentMap<AccessoryKey>,
        role: Role,
        isFixed: Bool = false,
        replacement: Replacement? = nil
    ) -> DefinedAccessory {
        let titleKey: AccessoryKey = role == .bridge ? .bridge : .accessory
        let nameField = replacement?.name ?? map[titleKey]
        let name = text(nameField, bytes: 1...64) ?? "Accessory"
        let idField = replacement?.id ?? map[.id]
        let key = text(idField, bytes: 1...255) ?? name
        if key.hasPrefix("#retired/") {
            findings.report(idField ?? nameField ?? map.field, "ids that begin with #retired/ are taken; write another")
        }
        if map.lacks(.services), role != .bridge {
            findings.report(
                map.field,
                "there are no services; list them under \"services\", such as \"- type: Switch\""
            )
        }
        var services: [DefinedService] = []
        let listed = list(map[.services])
        for field in listed {
            guard var service = service(field) else { continue }
            if replacement != nil, service.type == .protocolInformation { continue }
            if service.type == .accessoryInformation, !isVerbatim {
                inform(&service, map, name: name, nameField: nameField, key: key, role: role, listed)
            }
            services.append(service)
        }
        if isVerbatim {
            for key in AccessoryKey.ofInformation {
                if let field = map[key] {
                    findings.report(
                        field,
                        "nothing is added to what is verbatim; write it in the service AccessoryInformation"
                    )
                }
            }
        } else {
            addInformation(to: &services, map, name: name, nameField: nameField, key: key, role: role, listed)
        }
        let limit = AttributeDatabase.maximumServices
        if services.count > limit, !isVerbatim {
            findings.report(
                map[.services] ?? map.field,
                "\(services.count) services are too many; list at most \(limit)"
            )
            services = Array(services.prefix(limit))
        }
        if !isVerbatim, let second = services.filter(\.isPrimary).dropFirst().first {
            findings.report(second.field, "another service is the primary one; remove \"primary\" from one of them")
        }
        let links = identify(&services)
        let isNumbered = areFixed(map, without: isFixed)
        number(&services, isFixed: isNumbered)
        let aidField = replacement.map(\.aid) ?? map[.aid]
        let documented = FileAccessory(
            key: key,
            services: zip(services, links).map { $0.documented(linked: $1) },
            aid: accessoryID(aidField)
        )
        return DefinedAccessory(
            name: name,
            documented: documented,
            services: services,
            field: map.field,
            aidField: aidField
        )
    }

    /// Whether what has no id is numbered for good.
    mutating func areFixed(_ map: DocumentMap<AccessoryKey>, without standard: Bool = false) -> Bool {
        map[.ids].flatMap { word($0, [("kept", false), ("fixed", true)]) } ?? standard
    }

    /// Puts the two services in front that every accessory or server has.
    private mutating func addInformation(
        to services: inout [DefinedService],
        _ map: DocumentMap<AccessoryKey>,
        name: String,
        nameField: DocumentField?,
        key: String,
        role: Role,
        _ listed: [DocumentField]
    ) {
        if !services.contains(where: { $0.type == .accessoryInformation }) {
            var service = DefinedService(
                type: .accessoryInformation,
                characteristics: [],
                simulation: .automatic,
                field: map.field,
                key: ServiceKey(.accessoryInformation)
            )
            inform(&service, map, name: name, nameField: nameField, key: key, role: role, listed)
            services.insert(service, at: 0)
        }
        if role != .bridged, !services.contains(where: { $0.type == .protocolInformation }) {
            let information = DefinitionStandard.protocolInformation
            let service = DefinedService(
                type: .protocolInformation,
                characteristics: information.characteristics.map {
                    DefinedCharacteristic(characteristic: $0, field: map.field)
                },
                simulation: .automatic,
                field: map.field,
                key: information.key
            )
            let first = services.firstIndex { $0.type == .accessoryInformation } ?? 0
            services.insert(service, at: first + 1)
        }
    }

    /// Gives Accessory Information what follows from the accessory's keys, in front of what it lists itself.
    private mutating func inform(
        _ service: inout DefinedService,
        _ map: DocumentMap<AccessoryKey>,
        name: String,
        nameField: DocumentField?,
        key: String,
        role: Role,
        _ listed: [DocumentField]
    ) {
        // The type alone, without a word about what is wrong with it: that comes with the service.
        let types = listed.lazy.compactMap { field -> ServiceType? in
            let text = field.node.mapping?.first { $0.key == ServiceField.type.rawValue }?.value.scalar?.text
            return text.flatMap { Catalogue.service(named: $0)?.type ?? HAPUUID($0).map { ServiceType($0) } }
        }
        let fields: [CharacteristicType: DocumentField?] = [
            .name: nameField, .manufacturer: map[.manufacturer], .model: map[.model],
            .serialNumber: map[.serialNumber], .firmwareRevision: map[.firmware],
        ]
        let information = DefinitionStandard.information(
            name: name,
            manufacturer: text(map[.manufacturer]) ?? DefinitionStandard.manufacturer,
            model: text(map[.model]) ?? DefinitionStandard.model(of: types, isBridge: role == .bridge),
            serialNumber: text(map[.serialNumber]) ?? DefinitionStandard.serialNumber(of: key),
            firmware: text(map[.firmware]) ?? DefinitionStandard.firmware
        )
        var added: [DefinedCharacteristic] = []
        for implied in information.characteristics {
            let field = (fields[implied.type] ?? nil) ?? map.field
            let position = service.characteristics.firstIndex { $0.characteristic.type == implied.type }
            guard let position else {
                added.append(DefinedCharacteristic(characteristic: implied, field: field))
                continue
            }
            if !service.characteristics[position].hasValue {
                service.characteristics[position].characteristic.value = implied.value
            } else if implied.type != .name, let field = fields[implied.type] ?? nil {
                let listed = service.characteristics[position]
                let path = (listed.valueField ?? listed.field).path
                findings.report(field, "\(path) says this, too; remove one of them")
            }
        }
        service.characteristics = added + service.characteristics
        service.iid = service.iid ?? .accessoryInformation
    }
}

extension DefinedService {
    /// The service as files of all kinds have it.
    fileprivate func documented(linked: [ServiceKey]) -> FileService {
        FileService(
            ServiceDescription(
                key: key,
                characteristics: characteristics.map(\.characteristic),
                isPrimary: isPrimary,
                isHidden: isHidden,
                linked: linked,
                iid: iid
            ),
            simulation: simulation
        )
    }
}
