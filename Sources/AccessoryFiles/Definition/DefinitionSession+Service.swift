internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

extension DefinitionSession {
    /// A service as it is written, completed unless it says otherwise; `nil` when its type is not known.
    mutating func service(_ field: DocumentField) -> DefinedService? {
        guard let map = DocumentMap(field, known: ServiceField.allCases, &findings) else {
            return nil
        }
        guard let type = serviceType(map) else { return nil }
        var characteristics = map[.characteristics].map { self.characteristics($0) } ?? []
        let name = name(map, of: type, &characteristics)
        let isComplete = flag(map[.complete], without: true)
        if isComplete, !isVerbatim, type != .accessoryInformation {
            characteristics +=
                DefinitionStandard.completion(
                    of: type,
                    listed: characteristics.map(\.characteristic)
                )
                .map { DefinedCharacteristic(characteristic: $0, field: field) }
        }
        let id = map[.id].flatMap { text($0, bytes: 0...255) }
        return DefinedService(
            type: type,
            id: id,
            name: name,
            characteristics: characteristics,
            isPrimary: flag(map[.primary]),
            isHidden: flag(map[.hidden]),
            links: list(map[.linked]),
            iid: instanceID(map[.iid]),
            iidField: map[.iid],
            simulation: simulation(map[.simulate], characteristics),
            field: field,
            key: ServiceKey(type)
        )
    }

    private mutating func serviceType(_ map: DocumentMap<ServiceField>) -> ServiceType? {
        guard let field = map[.type] else {
            if map.lacks(.type) {
                findings.report(map.field, "the service has no type; add one, such as \"type: Switch\"")
            }
            return nil
        }
        guard let text = text(field) else { return nil }
        if let definition = Catalogue.service(named: text) { return definition.type }
        if let uuid = HAPUUID(text), Catalogue.service(ServiceType(uuid)) != nil || text.utf8.count == 36 {
            return ServiceType(uuid)
        }
        let nearest = findings.spelling.nearest(
            to: text,
            among: Catalogue.services.lazy.flatMap { [$0.id] + $0.aliases }
        )
        findings.report(
            field,
            "there is no service \(text.quotedForPeople); "
                + (nearest.map { "write \($0)" } ?? "see \"hap types\", or write a vendor's UUID")
        )
        return nil
    }

    /// The name that a service is known by, which becomes a characteristic when it has a key of its own.
    private mutating func name(
        _ map: DocumentMap<ServiceField>,
        of type: ServiceType,
        _ characteristics: inout [DefinedCharacteristic]
    ) -> String? {
        let listed = characteristics.first { $0.characteristic.type == .name }
        guard let field = map[.name] else { return listed?.characteristic.value?.string }
        if type == .accessoryInformation {
            findings.report(field, "the name of the accessory is not written here; write it under \"accessory\"")
            return nil
        }
        if let listed {
            findings.report(
                field,
                "the name is written under \(listed.name?.quotedForPeople ?? "Name"), too; remove one of them"
            )
            return nil
        }
        guard let name = text(field, bytes: 0...64) else { return nil }
        let characteristic = Characteristic(catalogued: .name, value: .string(name))
        characteristics.insert(DefinedCharacteristic(characteristic: characteristic, field: field), at: 0)
        return name
    }

    /// The type that a text in a link names.
    static func serviceType(named text: String) -> ServiceType? {
        Catalogue.service(named: text)?.type ?? HAPUUID(text).map { ServiceType($0) }
    }

    /// Gives the services of an accessory their keys, and finds what their links mean.
    ///
    /// The first of a type has no subtype unless it says otherwise, and the others have their names: so a second one
    /// can be added to a file without another id for the first.
    mutating func identify(_ services: inout [DefinedService]) -> [[ServiceKey]] {
        var types: Set<ServiceType> = []
        var keys: [ServiceKey: DocumentField] = [:]
        for position in services.indices {
            let service = services[position]
            let isFirst = types.insert(service.type).inserted
            let key = ServiceKey(service.type, subtype: service.id ?? (isFirst ? "" : service.name ?? ""))
            services[position].key = key
            if let other = keys.updateValue(service.field, forKey: key) {
                findings.report(
                    service.field,
                    "\(other.path) is a \(service.type) \(key.subtype.isEmpty ? "without an id" : "with this id"), too; "
                        + "give this one an \"id\" of its own"
                )
            }
        }
        let index = DefinedServiceIndex(services.lazy.map { ($0.key, $0.id, $0.name) })
        let names = services.compactMap { $0.id ?? $0.name }
        return services.map { service in
            service.links.compactMap { link(of: service, $0, among: index, names) }
        }
    }

    private mutating func link(
        of service: DefinedService,
        _ field: DocumentField,
        among services: DefinedServiceIndex,
        _ names: [String]
    ) -> ServiceKey? {
        let found: [ServiceKey]
        let shown: String
        if field.node.mapping != nil {
            guard let map = DocumentMap<ServiceField>(field, known: [.type, .id], &findings),
                let type = serviceType(map)
            else {
                return nil
            }
            let id = map[.id].flatMap { text($0) } ?? ""
            found = services.services(ServiceKey(type, subtype: id))
            shown = "\(type) \(id)"
        } else {
            guard let text = text(field) else { return nil }
            shown = text
            found = services.services(meantBy: text, type: Self.serviceType(named: text))
        }
        if let only = found.first, found.count == 1 {
            guard isVerbatim || only != service.key else {
                findings.report(field, "this is the service itself; name another one, or leave it away")
                return nil
            }
            return only
        }
        let nearest = found.isEmpty ? findings.spelling.nearest(to: shown, among: names) : nil
        findings.report(
            field,
            found.isEmpty
                ? "the accessory has no service \(shown.quotedForPeople); "
                    + (nearest.map { "write \($0.quotedForPeople)" } ?? "write the id, the name or the type of one")
                : "\(found.count) services are meant by \(shown.quotedForPeople); "
                    + "give them ids, or write a map with type and id"
        )
        return nil
    }
}
