package import AccessoryModel
package import HAPCore

/// Finds what is meant by a name or an id among the servers of a simulation.
package struct SimulationNames: Sendable {
    /// What there is.
    package let servers: [SimulatedServer]

    /// Takes what there is.
    package init(_ servers: [SimulatedServer]) {
        self.servers = servers
    }

    /// Finds what is meant.
    ///
    /// Where one of another kind is wanted than the name means, it is the only one that has to do with it: the simulated
    /// service of an accessory, the service of a characteristic.
    ///
    /// - Parameter kinds: What may be meant.
    /// - Throws: ``SimulationError`` with what comes near when nothing is meant, with all that are when several are.
    package func resolve(
        _ target: SimulationTarget,
        as kinds: Set<SimulationObject.Kind> = Set(SimulationObject.Kind.allCases)
    ) throws(SimulationError) -> SimulationObject {
        for path in Self.paths(target.text) {
            let found = SimulationNameSearch(for: path, in: servers).found
            let wanted = Self.nearest(found.filter { kinds.contains($0.object.kind) })
            if let only = wanted.first, wanted.count == 1 { return only }
            if wanted.count > 1 { throw ambiguous(target, wanted) }
            let related = Set(found.flatMap { relatives(of: $0.object, as: kinds) })
            if let only = related.first, related.count == 1 { return only }
            if related.count > 1 { throw ambiguous(target, related.sorted { text(of: $0) < text(of: $1) }) }
            if let other = found.first { throw wrongKind(target, other.object, kinds) }
        }
        throw unknown(target, kinds)
    }

    /// The characteristic that is meant.
    ///
    /// - Throws: ``SimulationError`` when none is, or several are.
    package func characteristic(
        _ target: SimulationTarget
    ) throws(SimulationError) -> (place: SimulationPlace, characteristic: SimulatedCharacteristic) {
        let object = try resolve(target, as: [.characteristic])
        guard case .characteristic(let place) = object, let found = characteristic(at: place) else {
            throw unknown(target, [.characteristic])
        }
        return (place, found)
    }

    /// The service that is meant.
    ///
    /// - Throws: ``SimulationError`` when none is, or several are.
    package func service(
        _ target: SimulationTarget
    ) throws(SimulationError) -> (server: Int, aid: AccessoryID, key: ServiceKey) {
        guard case .service(let server, let aid, let key) = try resolve(target, as: [.service]) else {
            throw unknown(target, [.service])
        }
        return (server, aid, key)
    }

    /// What is at a place; `nil` for nothing.
    package func characteristic(at place: SimulationPlace) -> SimulatedCharacteristic? {
        find(place)?.characteristic
    }

    /// What moves with a characteristic: its service; `nil` for a place where nothing is.
    package func service(at place: SimulationPlace) -> SimulatedService? {
        find(place)?.service
    }

    /// The shortest name that people know something by: `Garage Door/Target Door State`.
    package func text(of object: SimulationObject) -> String {
        guard servers.indices.contains(object.server) else { return "?" }
        let server = servers[object.server]
        let prefix = servers.count > 1 ? "\(server.name)/" : ""
        switch object {
        case .server: return server.name
        case .accessory(_, let aid):
            return prefix + (server.accessories.first { $0.aid == aid }?.name ?? "\(aid)")
        case .service(_, let aid, let key):
            let accessory = server.accessories.first { $0.aid == aid }
            let name = accessory?.services.first { $0.key == key }?.name ?? "\(key.type)"
            let isAlone = server.accessories.count == 1
            return prefix + (isAlone ? name : "\(accessory?.name ?? "\(aid)")/\(name)")
        case .characteristic(let place):
            guard let found = find(place) else { return prefix + "\(place.id)" }
            let path = "\(found.service.name)/\(found.characteristic.name)"
            return prefix + (server.accessories.count == 1 ? path : "\(found.accessory.name)/\(path)")
        }
    }

    /// Everything that can be named, as people would write it; for completion.
    package func texts(of kinds: Set<SimulationObject.Kind>) -> [String] {
        var texts: [String] = []
        for (place, server) in servers.enumerated() {
            if kinds.contains(.server) { texts.append(text(of: .server(place))) }
            for accessory in server.accessories {
                if kinds.contains(.accessory) { texts.append(text(of: .accessory(server: place, accessory.aid))) }
                for service in accessory.services {
                    if kinds.contains(.service) {
                        texts.append(text(of: .service(server: place, accessory.aid, service.key)))
                    }
                    guard kinds.contains(.characteristic) else { continue }
                    texts += service.characteristics.map {
                        text(of: .characteristic(SimulationPlace(server: place, $0.id)))
                    }
                }
            }
        }
        var known: Set<String> = []
        return texts.filter { known.insert($0).inserted }
    }

    // MARK: -

    private func find(
        _ place: SimulationPlace
    ) -> (accessory: SimulatedAccessory, service: SimulatedService, characteristic: SimulatedCharacteristic)? {
        guard servers.indices.contains(place.server) else { return nil }
        guard let accessory = servers[place.server].accessories.first(where: { $0.aid == place.id.aid }) else {
            return nil
        }
        for service in accessory.services {
            if let found = service.characteristics.first(where: { $0.id == place.id }) {
                return (accessory, service, found)
            }
        }
        return nil
    }

    /// The keys of a text: as it stands, and with its full stops as what divides names.
    private static func paths(_ text: String) -> [String] {
        guard text.utf8.count <= 1_000 else { return [] }
        let path = SimulationNameKey.key(text)
        let dotted = SimulationNameKey.key(text.replacingStops)
        return path == dotted ? [path] : [path, dotted]
    }

    private static func nearest(_ entries: [(object: SimulationObject, rank: Int)]) -> [SimulationObject] {
        guard let rank = entries.map(\.rank).min() else { return [] }
        var objects: [SimulationObject] = []
        for entry in entries where entry.rank == rank && !objects.contains(entry.object) {
            objects.append(entry.object)
        }
        return objects
    }

    /// What of the wanted kinds belongs to something of another kind.
    private func relatives(
        of object: SimulationObject,
        as kinds: Set<SimulationObject.Kind>
    ) -> [SimulationObject] {
        guard kinds == [.service] else { return [] }
        let server = object.server
        switch object {
        case .server, .service: return []
        case .accessory(_, let aid):
            let services = servers[server].accessories.first { $0.aid == aid }?.services ?? []
            return services.filter(\.isSimulated).map { .service(server: server, aid, $0.key) }
        case .characteristic(let place):
            return service(at: place).map { [.service(server: server, place.id.aid, $0.key)] } ?? []
        }
    }
}

extension String {
    /// The text with `/` for each full stop.
    fileprivate var replacingStops: String {
        String(map { $0 == "." ? "/" : $0 })
    }
}
