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
}
