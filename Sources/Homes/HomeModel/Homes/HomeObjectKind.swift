/// The kinds of objects that have a name in a home, and the home itself.
package enum HomeObjectKind: String, CaseIterable, Sendable {
    case home, room, zone, group, scene, automation, accessory, service, user

    /// The word for several objects, such as "rooms".
    package var plural: String { self == .accessory ? "accessories" : "\(rawValue)s" }
}

extension Home {
    /// Returns the names of all objects of a kind; the services are those that are visible.
    package func names(of kind: HomeObjectKind) -> [ObjectName] {
        switch kind {
        case .home: [name]
        case .room: rooms.map(\.name)
        case .zone: zones.map(\.name)
        case .group: serviceGroups.map(\.name)
        case .scene: scenes.map(\.name)
        case .automation: automations.map(\.name)
        case .accessory: accessories.map(\.name)
        case .service: visibleServices.map(\.service.name)
        case .user: users.map(\.name)
        }
    }

    /// Returns the name of an object as the home writes it.
    ///
    /// - Parameter text: The name as a person writes it; case, spaces and apostrophes do not matter.
    /// - Throws: ``HomeError`` if there is none, or if the name is ambiguous.
    package func name(of kind: HomeObjectKind, named text: String) throws(HomeError) -> ObjectName {
        switch kind {
        case .home: name
        case .room: try room(named: text).name
        case .zone: try zone(named: text).name
        case .group: try serviceGroup(named: text).name
        case .scene: try scene(named: text).name
        case .automation: try automation(named: text).name
        case .accessory: try accessory(named: text).name
        case .service: try service(named: text).name
        case .user: try user(named: text).name
        }
    }

    /// Renames an object; the home itself is renamed in ``Homes``.
    ///
    /// - Throws: ``HomeError`` if there is none, or if the name is taken.
    package mutating func rename(_ kind: HomeObjectKind, named text: String, to name: ObjectName) throws(HomeError) {
        switch kind {
        case .home: break
        case .room: try renameRoom(room(named: text).id, to: name)
        case .zone: try renameZone(zone(named: text).id, to: name)
        case .group: try renameServiceGroup(serviceGroup(named: text).id, to: name)
        case .scene: try renameScene(scene(named: text).id, to: name)
        case .automation: try renameAutomation(automation(named: text).id, to: name)
        case .accessory: try renameAccessory(accessory(named: text).id, to: name)
        case .service: try renameService(service(named: text).id, to: name)
        case .user: try renameUser(user(named: text).id, to: name)
        }
    }

    /// Removes an object; the home itself is removed from ``Homes``, and a service with its accessory.
    ///
    /// - Returns: What else has changed.
    /// - Throws: ``HomeError`` if there is none.
    package mutating func remove(_ kind: HomeObjectKind, named text: String) throws(HomeError) -> [EditEffect] {
        switch kind {
        case .home, .service: break
        case .room: return try removeRoom(room(named: text).id)
        case .zone: try removeZone(zone(named: text).id)
        case .group: try removeServiceGroup(serviceGroup(named: text).id)
        case .scene: return try removeScene(scene(named: text).id)
        case .automation: try removeAutomation(automation(named: text).id)
        case .accessory: return try removeAccessory(accessory(named: text).id)
        case .user: return try removeUser(user(named: text).id)
        }
        return []
    }
}
