internal import AccessoryModel
internal import Documents

/// The objects of a home that an accessory in a file describes.
package struct AccessoryMatch: Sendable, Hashable {
    /// The accessory.
    package var id: ObjectID<HomeAccessory>
    /// The services, in the order of the file; `nil` for one that the accessory does not have.
    package var services: [ServiceMatch?]

    /// The service of a home that a service in a file describes.
    package struct ServiceMatch: Sendable, Hashable {
        /// The service.
        package var id: ObjectID<HomeService>
        /// Whether the file refers to it by its type, and not by its name.
        package var isByType: Bool
    }
}

extension HomeDescription {
    /// Returns, for each accessory of the description, what a merge would update in a home; `nil` if nothing.
    package func accessoryMatches(in home: Home) -> [AccessoryMatch?] {
        var diagnostics = MergeDiagnostics()
        let matched = MergedAccessories(accessories, in: home, KnownAccessories([]), &diagnostics)
        let byID = home.accessories.byID
        return matched.entries.map { entry in
            guard let id = entry.id, let accessory = byID[id] else { return nil }
            let positions = ServicePositions(of: accessory.services)
            let services = entry.described.services.map { described -> AccessoryMatch.ServiceMatch? in
                let label = ServiceLabel(described.key.value)
                let position =
                    positions.position(of: label) ?? described.name.flatMap { positions.first(named: $0.value) }
                guard let service = position.map({ accessory.services[$0] }) else { return nil }
                return AccessoryMatch.ServiceMatch(id: service.id, isByType: label.type == service.type)
            }
            return AccessoryMatch(id: id, services: services)
        }
    }
}

extension HomeAccessory {
    /// The texts by which a file refers to the services, in their order: `Lightbulb`, or `Lightbulb (2)`.
    package var serviceLabels: [String] { ServiceLabel.texts(of: services) }
}
