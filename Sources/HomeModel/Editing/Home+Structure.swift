public import AccessoryModel
public import HAPCore

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
        to announced: RemoteAccessory,
        category: AccessoryCategory? = nil
    ) throws(HomeError) -> [EditEffect] {
        let index = try accessoryIndex(id)
        let before = accessories[index]
        try checkStructure(of: announced.services.map(\.iids), replacing: before.services.count, at: path(before.name))
        var changed = self
        var consequences: [EditEffect] = []
        var gone = RemovedObjects()
        let matching = ServiceMatching(announced.services, with: before.services)
        for position in matching.removed.sorted() {
            gone.services.insert(before.services[position].id)
            consequences.append(.serviceRemoved(before.services[position].name))
        }
        // Existing services keep their names; new ones get a free name.
        changed.accessories[index].services = []
        var book = changed.serviceAndGroupNames
        for service in matching.matched.compactMap({ $0.map { before.services[$0] } }) where service.isVisible {
            book.insert(service.name)
        }
        var services: [HomeService] = []
        let shown = announced.services.count(where: \.isVisible)
        for (announced, known) in zip(announced.services, matching.matched) {
            var service: HomeService
            if let known {
                service = before.services[known]
                service.update(to: announced, names: &book, gone: &gone, consequences: &consequences)
            } else {
                service = HomeService(announced, id: ObjectID(try changed.nextNumber()))
                service.name = .defaultName(
                    for: service,
                    announcedAs: announced.ownName,
                    before.name,
                    isAlone: shown == 1
                )
                if service.isVisible {
                    service.name = book.registerUnused(service.name)
                    consequences.append(.serviceAdded(service.name, accessory: before.name))
                }
            }
            services.append(service)
        }
        changed.accessories[index].services = services
        changed.accessories[index].category = category ?? before.category
        changed.collectInvalidActions(of: services, into: &gone)
        let names = Dictionary(before.services.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        consequences += changed.removeReferences(to: gone, names: names)
        consequences += changed.removeFromGroups(Set(services.lazy.filter { !$0.isVisible }.map(\.id)), names: names)
        self = changed
        return consequences
    }

    /// Collects actions of scenes and automations that are no longer valid: the characteristic is not writable, or does
    /// not allow the value.
    private func collectInvalidActions(of services: [HomeService], into gone: inout RemovedObjects) {
        let services = Dictionary(services.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for action in scenes.flatMap(\.actions) + automations.flatMap(\.rule.actions) {
            guard let service = services[action.characteristic.service] else { continue }
            if Self.violation(of: action, on: service, at: "") != nil {
                gone.actions.insert(action)
            }
        }
    }

    /// Removes services that are no longer visible from their groups.
    private mutating func removeFromGroups(
        _ hidden: Set<ObjectID<HomeService>>,
        names: [ObjectID<HomeService>: ObjectName]
    ) -> [EditEffect] {
        var consequences: [EditEffect] = []
        for index in serviceGroups.indices {
            for id in serviceGroups[index].services where hidden.contains(id) {
                consequences += names[id].map { [.groupLostService(serviceGroups[index].name, service: $0)] } ?? []
            }
            serviceGroups[index].services.removeAll(where: hidden.contains)
        }
        return consequences
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
