public import AccessoryModel
internal import HAPCore

extension Home {
    /// Updates the services of an accessory after it has changed, or when an accessory from a file has been found.
    ///
    /// A service keeps its id, name and room if it matches one of the new services: first by instance ID and type, then
    /// by type and name, then by type alone. Removed services and characteristics are also removed from groups, scenes
    /// and automations; the result lists these effects. If only a file has described a service until now, the result
    /// lists missing characteristics of the service only if its type requires them.
    ///
    /// - Throws: ``HomeError`` if the accessory does not exist, two characteristics have the same instance ID, or a
    ///   limit is exceeded.
    @discardableResult
    public mutating func updateAccessory(
        _ id: ObjectID<HomeAccessory>,
        to announced: RemoteAccessory
    ) throws(HomeError) -> [EditEffect] {
        let index = try index(of: id, in: accessories)
        let before = accessories[index]
        // An accessory that is reachable again has usually not changed.
        if before.hasSameStructure(as: announced) { return [] }
        var changed = self
        var update = StructureUpdate(of: self)
        try update.updateAccessory(at: index, to: announced, in: &changed)
        let effects = update.finish(&changed)
        self = changed
        return effects
    }
}

/// An update of accessories to their current structure.
///
/// The names of the home and the references to removed objects are searched once for all accessories, because each
/// search takes as long as the home is large.
struct StructureUpdate {
    /// The names of the visible services and of the groups.
    private var names: NameRegistry
    /// The number of services in the home.
    private(set) var serviceCount: Int
    private var gone = RemovedObjects()
    /// The names of the updated services before the update.
    private var namesBefore: [ObjectID<HomeService>: ObjectName] = [:]
    /// The updated services.
    private var services: [ObjectID<HomeService>: HomeService] = [:]
    private var effects: [EditEffect] = []
    /// The visible services that a merge has added, which have default names until the file names them.
    private(set) var unnamed: Set<ObjectID<HomeService>> = []

    /// Begins an update of a home.
    init(of home: Home) {
        names = home.serviceAndGroupNames
        serviceCount = home.serviceCount
    }

    /// Records services that a merge adds, with default names until the file names them.
    mutating func record(added services: [HomeService]) {
        serviceCount += services.count
        for service in services where service.isVisible {
            names.insert(service.name)
            unnamed.insert(service.id)
        }
    }

    /// Updates the services of an accessory.
    ///
    /// - Throws: ``HomeError`` if two characteristics have the same instance ID, or a limit is exceeded.
    mutating func updateAccessory(
        at index: Int,
        to announced: RemoteAccessory,
        in home: inout Home
    ) throws(HomeError) {
        let before = home.accessories[index]
        let others = serviceCount - before.services.count
        try home.checkStructure(of: announced.services.map(\.iids), besides: others, at: home.path(before.name))
        let matching = ServiceMatching(announced.services, with: before.services)
        for position in matching.removed.sorted() {
            gone.services.insert(before.services[position].id)
            effects.append(.serviceRemoved(before.services[position].name))
            if before.services[position].isVisible { names.remove(before.services[position].name) }
        }
        // Existing services keep their names; new ones get a free name.
        var services: [HomeService] = []
        let shown = announced.services.count(where: \.isVisible)
        for (announced, known) in zip(announced.services, matching.matched) {
            var service: HomeService
            if let known {
                service = before.services[known]
                service.update(to: announced, names: &names, gone: &gone, consequences: &effects)
            } else {
                let id = ObjectID<HomeService>(try home.nextNumber())
                service = HomeService(announced, id: id, of: before.name, isAlone: shown == 1)
                if service.isVisible {
                    service.name = names.registerUnused(service.name)
                    effects.append(.serviceAdded(service.name, accessory: before.name))
                }
            }
            services.append(service)
        }
        for (service, known) in zip(services, matching.matched) where !service.isVisible {
            // The name of a service that is hidden now is free again.
            if let known, before.services[known].isVisible { names.remove(before.services[known].name) }
        }
        home.accessories[index].services = services
        serviceCount = others + services.count
        for service in services { self.services[service.id] = service }
        for service in before.services { namesBefore[service.id] = service.name }
    }

    /// Removes the references to what the updated accessories no longer have, and returns the effects of the update.
    mutating func finish(_ home: inout Home) -> [EditEffect] {
        guard !services.isEmpty || !namesBefore.isEmpty else { return [] }
        collectInvalidActions(of: home)
        effects += home.removeReferences(to: gone, names: namesBefore)
        effects += home.removeFromGroups(
            Set(services.values.lazy.filter { !$0.isVisible }.map(\.id)),
            names: namesBefore
        )
        return effects
    }

    /// Collects actions of scenes and automations that are no longer valid: the characteristic is not writable, or does
    /// not allow the value.
    private mutating func collectInvalidActions(of home: Home) {
        for action in home.scenes.lazy.flatMap(\.actions) { collectIfInvalid(action) }
        for action in home.automations.lazy.flatMap(\.rule.actions) { collectIfInvalid(action) }
    }

    private mutating func collectIfInvalid(_ action: HomeAction) {
        guard let service = services[action.characteristic.service] else { return }
        if Home.violation(of: action, on: service, at: "") != nil { gone.actions.insert(action) }
    }
}

extension HomeService {
    /// Updates the service to its new structure.
    fileprivate mutating func update(
        to announced: RemoteService,
        names: inout NameRegistry,
        gone: inout RemovedObjects,
        consequences: inout [EditEffect]
    ) {
        let before = self
        self = updated(to: announced)
        if isVisible, !before.isVisible {
            name = names.registerUnused(name)
            if name != before.name {
                consequences.append(.serviceRenamed(before.name, to: name))
            }
        }
        let types = Set(characteristics.map(\.type))
        // A service that was never found is assumed to have all characteristics of its type. Only a missing required
        // one is worth reporting.
        let isFound = before.iid != nil
        let required = isFound ? [] : Set(Catalog.service(type)?.required ?? [])
        for characteristic in before.characteristics where !types.contains(characteristic.type) {
            gone.characteristics.insert(CharacteristicSelector(service: id, type: characteristic.type))
            guard isFound || required.contains(characteristic.type) else { continue }
            consequences.append(.characteristicRemoved(characteristic.type, service: before.name))
        }
    }
}
