internal import AccessoryModel
internal import Documents
internal import HAPCore

// The services that a merge adds to a home, which have default names until the file names them.
extension StructureUpdate {
    /// Returns the services of a known accessory.
    mutating func services(
        of announced: RemoteAccessory,
        named accessory: ObjectName,
        in home: inout Home
    ) throws(HomeError) -> [HomeService] {
        let place = home.path(accessory)
        try home.checkStructure(of: announced.services.map(\.iids), besides: serviceCount, at: place)
        let isAlone = announced.services.count(where: \.isVisible) == 1
        let services = announced.services.map {
            HomeService($0, id: home.newID(), of: accessory, isAlone: isAlone)
        }
        record(added: services)
        return services
    }

    /// Returns the services of an accessory that was not found, including those that only the file describes.
    mutating func servicesForPlaceholder(
        _ placeholder: HomeAccessory,
        as described: HomeDescription.Accessory,
        in home: inout Home
    ) throws(HomeError) -> [HomeService] {
        let existing = placeholder.services
        let added = described.placeholders(beside: existing)
            .map { (service: HomeService(placeholder: $0.type, id: home.newID()), name: $0.name) }
        let all = existing + added.map(\.service)
        try home.checkStructure(
            of: all.map { $0.characteristics.map(\.iid) },
            besides: serviceCount - existing.count,
            at: home.path(placeholder.name)
        )
        let isAlone = all.count(where: \.isVisible) == 1
        let services = added.map { service, name in
            var service = service
            service.name = service.defaultName(announcedAs: name, placeholder.name, isAlone: isAlone)
            return service
        }
        record(added: services)
        return existing + services
    }

    /// Finds free names for the services that the file does not name.
    ///
    /// - Parameters:
    ///   - named: The services that the file names.
    ///   - groups: The names of the service groups in the file.
    func nameRemaining(in home: inout Home, besides named: Set<ObjectID<HomeService>>, _ groups: [ObjectName]) {
        let unnamed = unnamed.subtracting(named)
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
    /// The maximum number of services of one type that are created for a label such as `Lightbulb (64)`.
    static let maximumPlaceholders = 64

    /// Returns the types and names of the services in the file that do not exist yet, as far as the file gives their
    /// types.
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
            // A key that is also a type counts as a name if the entry has another `type`: "Bed" could also be a short
            // UUID.
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
    /// Creates a service that was not found, with all required and optional characteristics of its type.
    ///
    /// A type that is not in the catalog has no characteristics.
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
