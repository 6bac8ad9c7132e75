internal import AccessoryModel
internal import Documents
internal import HAPCore

/// The services that a merge adds to a home, which have default names until the file names them, and those that it
/// updates.
struct ServiceNaming {
    private var ids: Set<ObjectID<HomeService>> = []
    /// The update of the existing accessories; it has the number of services and their names.
    private var update: StructureUpdate

    init(in home: Home) {
        update = StructureUpdate(of: home)
    }

    /// Returns the services of a known accessory.
    mutating func services(
        of announced: RemoteAccessory,
        named accessory: ObjectName,
        in home: inout Home
    ) throws(HomeError) -> [HomeService] {
        try home.checkStructure(
            of: announced.services.map(\.iids),
            besides: update.serviceCount,
            at: home.path(accessory)
        )
        let services = announced.services.map { (HomeService($0, id: home.newID()), $0.ownName) }
        let named = withDefaultNames(services, beside: [], of: accessory)
        update.recordServices(named, replacing: [])
        return named
    }

    /// Updates the services of an accessory of the home.
    mutating func updateAccessory(
        at index: Int,
        to known: KnownAccessory,
        in home: inout Home
    ) throws(HomeError) {
        try update.updateAccessory(at: index, to: known.announced, category: known.category, in: &home)
    }

    /// Removes the references to what the updated accessories no longer have, and returns the effects of the updates.
    mutating func finishUpdates(of home: inout Home) -> [EditEffect] {
        update.finish(&home)
    }

    /// Returns the services of an accessory that was not found, including those that only the file describes.
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
            besides: update.serviceCount - existing.count,
            at: home.path(placeholder.name)
        )
        let services = existing + withDefaultNames(added, beside: existing, of: placeholder.name)
        update.recordServices(services, replacing: existing)
        return services
    }

    /// Gives services default names.
    ///
    /// - Parameter services: The services with their own names.
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

    /// Finds free names for the services that the file does not name.
    ///
    /// - Parameters:
    ///   - named: The services that the file names.
    ///   - groups: The names of the service groups in the file.
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
