internal import AccessoryModel
internal import Documents
internal import HAPCore

/// The services that a merge adds to a home: they have sensible names until the file has chosen others.
struct ServiceNaming {
    private var ids: Set<ObjectID<HomeService>> = []

    init() {}

    /// The services of an accessory that is known.
    mutating func services(
        of announced: RemoteAccessory,
        named accessory: ObjectName,
        in home: inout Home
    ) throws(HomeError) -> [HomeService] {
        try home.checkStructure(of: announced.services.map(\.iids), replacing: 0, at: home.path(accessory))
        let services = announced.services.map { (HomeService($0, id: home.newID()), $0.ownName) }
        return withDefaultNames(services, beside: [], of: accessory)
    }

    /// The services of an accessory that nobody has found, with those of which the file tells and which it does not have.
    mutating func servicesForPlaceholder(
        _ placeholder: HomeAccessory,
        as described: HomeDescription.Accessory,
        in home: inout Home
    ) throws(HomeError) -> [HomeService] {
        let existing = placeholder.services
        let added = described.placeholders(beside: existing)
            .map { (HomeService(placeholder: $0.type, id: home.newID()), $0.name) }
        let all = existing + added.map(\.0)
        try home.checkStructure(
            of: all.map { $0.characteristics.map(\.iid) },
            replacing: existing.count,
            at: home.path(placeholder.name)
        )
        return existing + withDefaultNames(added, beside: existing, of: placeholder.name)
    }

    /// Gives services sensible names.
    ///
    /// - Parameter services: The services with what they call themselves.
    private mutating func withDefaultNames(
        _ services: [(service: HomeService, name: String?)],
        beside existing: [HomeService],
        of accessory: ObjectName
    ) -> [HomeService] {
        let shown = (existing + services.map(\.service)).count(where: \.isVisible)
        return services.map { service, name in
            var service = service
            service.name = .defaultName(for: service, announcedAs: name, accessory, isAlone: shown == 1)
            if service.isVisible {
                ids.insert(service.id)
            }
            return service
        }
    }

    /// Finds free names for the services whose names the file has not chosen.
    ///
    /// - Parameters:
    ///   - named: The services whose names the file has chosen.
    ///   - groups: The names of the service groups of the file.
    func nameRemaining(in home: inout Home, besides named: Set<ObjectID<HomeService>>, _ groups: [ObjectName]) {
        let unnamed = ids.subtracting(named)
        guard !unnamed.isEmpty else { return }
        var book = NameRegistry(groups + home.serviceGroups.map(\.name))
        for service in home.accessories.lazy.flatMap(\.services)
        where service.isVisible && !unnamed.contains(service.id) {
            book.insert(service.name)
        }
        for index in home.accessories.indices {
            for position in home.accessories[index].services.indices {
                let service = home.accessories[index].services[position]
                if unnamed.contains(service.id), service.isVisible {
                    home.accessories[index].services[position].name = book.registerUnused(service.name)
                }
            }
        }
    }
}

extension HomeDescription.Accessory {
    /// How many services of a type are made for one that is the last of so many.
    static let maximumPlaceholders = 64

    /// What can be told of the services that nobody knows: of those whose types the file says, and that are not there.
    func placeholders(beside existing: [HomeService]) -> [(type: ServiceType, name: String?)] {
        var counts: [ServiceType: Int] = [:]
        for service in existing {
            counts[service.type, default: 0] += 1
        }
        let names = Set(existing.map(\.name.key))
        let positions = ServicePositions(of: existing)
        var made: [(type: ServiceType, name: String?)] = []
        for service in services where made.count <= HomeLimits.services {
            let designation = ServiceLabel(service.key.value)
            guard let type = service.type ?? designation.type,
                positions.position(of: designation) == nil,
                service.name.map({ !names.contains($0.value.key) }) ?? true
            else { continue }
            // What is a type in other cases, too, is a name where the type stands beside it: a UUID may be "Bed".
            guard designation.type == type else {
                made.append((type, service.key.value))
                counts[type, default: 0] += 1
                continue
            }
            let wanted = designation.number ?? 1
            while wanted <= Self.maximumPlaceholders, counts[type, default: 0] < wanted {
                made.append((type, nil))
                counts[type, default: 0] += 1
            }
        }
        return made
    }
}

extension HomeService {
    /// What can be told of a service that nobody knows: what its type requires and allows.
    ///
    /// A vendor's has no characteristics that anybody knew.
    init(placeholder type: ServiceType, id: ObjectID<HomeService>) {
        let definition = Catalog.service(type)
        let types = (definition?.required ?? []) + (definition?.optional ?? [])
        self.init(
            id: id,
            name: .service,
            type: type,
            characteristics: types.compactMap(Catalog.characteristic).map { HomeCharacteristic(.init($0)) }
        )
    }
}
