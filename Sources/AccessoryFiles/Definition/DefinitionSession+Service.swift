internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import Simulation

extension DefinitionSession {
    /// Gives a service what follows from what is written.
    mutating func complete(_ service: inout DefinedService) {
        let listed = service.characteristics.first { $0.type == .name }
        if let name = service.name {
            let location = name.location ?? service.location
            if service.type == .accessoryInformation {
                reader.report(
                    at: location,
                    "the name of the accessory is not written here; write it under \"accessory\""
                )
                service.name = nil
            } else if let listed {
                reader.report(
                    at: location,
                    "the name is written under \(listed.name?.quotedForPeople ?? "Name"), too; remove one of them"
                )
                service.name = nil
            } else {
                let characteristic = Characteristic(catalogued: .name, value: .string(name.value))
                let defined = DefinedCharacteristic(characteristic: characteristic, location: location)
                service.characteristics.insert(defined, at: 0)
            }
        } else {
            service.name = listed?.characteristic.value?.string.map { Located($0) }
        }
        if service.isComplete, !isVerbatim, service.type != .accessoryInformation {
            let listed = service.characteristics.map(\.characteristic)
            service.characteristics += DefinitionStandard.completion(of: service.type, listed: listed)
                .map { DefinedCharacteristic(characteristic: $0, location: service.location) }
        }
        if let field = service.simulation,
            let choice = reader.simulation(field, of: service.characteristics)
        {
            service.file.simulation = choice
        }
    }

    /// Gives the services of an accessory their keys, and finds what their links mean.
    ///
    /// The first of a type has no subtype unless it says otherwise, and the others have their names: so a second one
    /// can be added to a file without another id for the first.
    mutating func identify(_ services: inout [DefinedService]) {
        var types: Set<ServiceType> = []
        var keys: [ServiceKey: SourceLocation] = [:]
        for position in services.indices {
            let service = services[position]
            let isFirst = types.insert(service.type).inserted
            let key = ServiceKey(service.type, subtype: service.id ?? (isFirst ? "" : service.name?.value ?? ""))
            services[position].file.key = key
            if let other = keys.updateValue(service.location, forKey: key) {
                reader.report(
                    at: service.location,
                    "\(other.path) is a \(service.type) \(key.subtype.isEmpty ? "without an id" : "with this id"), too; "
                        + "give this one an \"id\" of its own"
                )
            }
        }
        let index = DefinedServiceIndex(services.lazy.map { ($0.file.key, $0.id, $0.name?.value) })
        let names = services.compactMap { $0.id ?? $0.name?.value }
        for position in services.indices {
            let service = services[position]
            services[position].file.linked = service.links.compactMap { link(of: service, $0, among: index, names) }
        }
    }

    private mutating func link(
        of service: DefinedService,
        _ link: Located<ServiceLink>,
        among services: DefinedServiceIndex,
        _ names: [String]
    ) -> ServiceKey? {
        let location = link.location ?? service.location
        let found = services.services(link.value)
        if let only = found.first, found.count == 1 {
            if isVerbatim || only != service.file.key { return only }
            reader.report(at: location, "this is the service itself; name another one, or leave it away")
            return nil
        }
        let shown =
            switch link.value {
            case .text(let text): text
            case .key(let key): "\(key.type) \(key.subtype)"
            }
        let nearest = found.isEmpty ? reader.nearest(to: shown, among: names) : nil
        reader.report(
            at: location,
            found.isEmpty
                ? "the accessory has no service \(shown.quotedForPeople); "
                    + (nearest.map { "write \($0.quotedForPeople)" } ?? "write the id, the name or the type of one")
                : "\(found.count) services are meant by \(shown.quotedForPeople); "
                    + "give them ids, or write a map with type and id"
        )
        return nil
    }

    // MARK: Ids

    /// Finds objects of an accessory with one id, as they are numbered at the first start; with `isFixed`, gives each
    /// object without an id the next one for good.
    ///
    /// The services of a real device may have the ids of other objects.
    mutating func number(_ services: inout [DefinedService], isFixed: Bool) {
        var owners: [UInt64: String] = [:]
        // A server keeps 1 for Accessory Information.
        let written = services.flatMap { [$0.iid?.value] + $0.characteristics.map(\.characteristic.iid) }
        var ids = FreeIDs(after: isFixed ? 0 : 1, besides: written.lazy.compactMap { $0?.rawValue })
        for position in services.indices {
            let iid = services[position].iid
            let id = ids.settle(iid?.value.rawValue)
            if !isVerbatim {
                take(id, iid?.location ?? services[position].location, &owners)
            }
            if isFixed {
                services[position].iid = InstanceID(id).map { Located($0) }
            }
            for index in services[position].characteristics.indices {
                let defined = services[position].characteristics[index]
                let id = ids.settle(defined.characteristic.iid?.rawValue)
                take(id, defined.iidLocation ?? defined.location, &owners)
                if isFixed {
                    services[position].characteristics[index].characteristic.iid = InstanceID(id)
                }
            }
        }
    }

    /// The same for the accessories of a server.
    mutating func number(_ accessories: inout [FileAccessory], _ defined: [DefinedAccessory], isFixed: Bool) {
        var owners: [UInt64: String] = [:]
        var keys: [String: String] = [:]
        var ids = FreeIDs(after: 0, besides: accessories.lazy.compactMap(\.aid?.rawValue))
        for (position, defined) in zip(accessories.indices, defined) {
            let (aid, key) = (accessories[position].aid, accessories[position].key)
            let isServer = position == 0 && !isVerbatim
            let id = ids.settle(aid?.rawValue ?? (isServer ? AccessoryID.primary.rawValue : nil))
            let location = defined.aid?.location ?? defined.location
            take(id, location, &owners, whole: "the bridge")
            if isFixed {
                accessories[position].aid = AccessoryID(id)
            }
            if let aid, position == 0, aid != .primary, !isVerbatim {
                reader.report(at: location, "the first accessory has id 1; leave it away")
            }
            if let other = keys.updateValue(defined.location.path, forKey: key) {
                reader.report(
                    at: defined.location,
                    "\(other.isEmpty ? "the bridge" : other) is \(key.quotedForPeople), too; "
                        + "give one of them another \"id\""
                )
            }
        }
    }

    private mutating func take(
        _ id: UInt64,
        _ location: SourceLocation,
        _ owners: inout [UInt64: String],
        whole: String = "the added Accessory Information"
    ) {
        let limit = IdentifierMap.maximumID
        if let other = owners.updateValue(location.path, forKey: id) {
            reader.report(
                at: location,
                "id \(id) is that of \(other.isEmpty ? whole : other), too; give one of them another"
            )
        } else if id > limit, !isVerbatim {
            reader.report(at: location, "there is no id behind \(limit); give it one that is not used")
        }
    }
}
