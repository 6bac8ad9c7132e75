package import AccessoryModel
package import HAPCore

/// Finds what is meant by a name or an id among the servers of a simulation.
package struct SimulationNames: Sendable {
    /// What there is.
    package let servers: [SimulatedServer]

    /// What there is, without numbers behind what is called alike.
    private let unnumbered: [SimulatedServer]
    private let index: SimulationNameIndex

    /// Takes what there is.
    package init(_ servers: [SimulatedServer]) {
        unnumbered = servers
        self.servers = servers.numbered()
        index = SimulationNameIndex(self.servers)
    }

    /// The same with another server at one of the places.
    package func replacing(_ place: Int, with server: SimulatedServer) -> SimulationNames {
        guard unnumbered.indices.contains(place) else { return self }
        var servers = unnumbered
        servers[place] = server
        return SimulationNames(servers)
    }

    /// Finds what is meant.
    ///
    /// Where one of another kind is wanted than the name means, it is the only one that has to do with it: the simulated
    /// service of an accessory, the service of a characteristic.
    ///
    /// - Parameters:
    ///   - kinds: What may be meant.
    ///   - suggestions: What a refusal suggests.
    /// - Throws: ``SimulationError`` with what comes near when nothing is meant, with the first of them when several are.
    func resolve(
        _ target: SimulationTarget,
        as kinds: Set<SimulationObject.Kind>,
        _ suggestions: inout NameSuggestions
    ) throws(SimulationError) -> SimulationObject {
        switch search(target, kinds) {
        case .one(let object): return object
        case .several(let objects): throw ambiguous(target, objects, kinds)
        case .another(let object): throw wrongKind(target, object, kinds, &suggestions)
        case .nothing: throw unknown(target, kinds, &suggestions)
        }
    }

    /// Finds what is meant, as a run of its own.
    ///
    /// - Parameter kinds: What may be meant.
    /// - Throws: ``SimulationError`` with what comes near when nothing is meant, with the first of them when several are.
    package func resolve(
        _ target: SimulationTarget,
        as kinds: Set<SimulationObject.Kind> = Set(SimulationObject.Kind.allCases)
    ) throws(SimulationError) -> SimulationObject {
        var suggestions = NameSuggestions(of: self)
        return try resolve(target, as: kinds, &suggestions)
    }

    /// Whether a name means one thing that is, or belongs to, one of these kinds.
    package func isKnown(_ target: SimulationTarget, as kinds: Set<SimulationObject.Kind>) -> Bool {
        if case .one = search(target, kinds) { true } else { false }
    }

    /// What a name may mean.
    private enum Meaning {
        case one(SimulationObject)
        case several([SimulationObject])
        /// Something of a kind that is not wanted.
        case another(SimulationObject)
        case nothing
    }

    private func search(_ target: SimulationTarget, _ kinds: Set<SimulationObject.Kind>) -> Meaning {
        for path in Self.paths(target.text) {
            let found = SimulationNameSearch(for: path, in: servers, index).found
            let wanted = Self.nearest(found.filter { kinds.contains($0.object.kind) })
            if let only = wanted.first, wanted.count == 1 { return .one(only) }
            if wanted.count > 1 { return .several(wanted) }
            let related = Set(found.flatMap { relatives(of: $0.object, as: kinds) })
            if let only = related.first, related.count == 1 { return .one(only) }
            if related.count > 1 {
                let texts = related.map { ($0, text(of: $0)) }.sorted { $0.1 < $1.1 }
                return .several(texts.map(\.0))
            }
            if let other = found.first { return .another(other.object) }
        }
        return .nothing
    }

    /// The characteristic that is meant.
    ///
    /// - Throws: ``SimulationError`` when none is, or several are.
    func characteristic(
        _ target: SimulationTarget,
        _ suggestions: inout NameSuggestions
    ) throws(SimulationError) -> (place: SimulationPlace, characteristic: SimulatedCharacteristic) {
        let object = try resolve(target, as: [.characteristic], &suggestions)
        guard case .characteristic(let place) = object, let found = characteristic(at: place) else {
            throw unknown(target, [.characteristic], &suggestions)
        }
        return (place, found)
    }

    /// The characteristic that is meant, found as a run of its own.
    ///
    /// - Throws: ``SimulationError`` when none is, or several are.
    package func characteristic(
        _ target: SimulationTarget
    ) throws(SimulationError) -> (place: SimulationPlace, characteristic: SimulatedCharacteristic) {
        var suggestions = NameSuggestions(of: self)
        return try characteristic(target, &suggestions)
    }

    /// The service that is meant.
    ///
    /// - Throws: ``SimulationError`` when none is, or several are.
    func service(
        _ target: SimulationTarget,
        _ suggestions: inout NameSuggestions
    ) throws(SimulationError) -> (server: Int, aid: AccessoryID, key: ServiceKey) {
        guard case .service(let server, let aid, let key) = try resolve(target, as: [.service], &suggestions) else {
            throw unknown(target, [.service], &suggestions)
        }
        return (server, aid, key)
    }

    /// The service that is meant, found as a run of its own.
    ///
    /// - Throws: ``SimulationError`` when none is, or several are.
    package func service(
        _ target: SimulationTarget
    ) throws(SimulationError) -> (server: Int, aid: AccessoryID, key: ServiceKey) {
        var suggestions = NameSuggestions(of: self)
        return try service(target, &suggestions)
    }

    /// What is at a place; `nil` for nothing.
    package func characteristic(at place: SimulationPlace) -> SimulatedCharacteristic? {
        find(place)?.characteristic
    }

    /// What moves with a characteristic: its service; `nil` for a place where nothing is.
    package func service(at place: SimulationPlace) -> SimulatedService? {
        find(place)?.service
    }

    /// The service that this object is; `nil` for anything else.
    package func service(of object: SimulationObject) -> SimulatedService? {
        guard case .service = object, let path = index.path(of: object) else { return nil }
        return servers[path.server].accessories[path.accessory].services[path.service]
    }

    /// The shortest name that people know something by: `Garage Door/Target Door State`.
    package func text(of object: SimulationObject) -> String {
        guard servers.indices.contains(object.server) else { return "?" }
        return text(of: object, isWhole: false)
    }

    /// A name that means this and nothing else, where one of these kinds is wanted; `nil` when there is none.
    func unmistakableText(of object: SimulationObject, as kinds: Set<SimulationObject.Kind>) -> String? {
        let whole = text(of: object, isWhole: true)
        var texts = [text(of: object), whole]
        if case .characteristic(let place) = object {
            texts += ["\(place.id)", "\(servers[place.server].name)/\(place.id)"]
        }
        if case .accessory(let server, let aid) = object { texts += ["\(aid)", "\(servers[server].name)/\(aid)"] }
        return texts.first { text in Self.paths(text).lazy.compactMap { only($0, kinds) }.first == object }
    }

    private func only(_ path: String, _ kinds: Set<SimulationObject.Kind>) -> SimulationObject? {
        let found = SimulationNameSearch(for: path, in: servers, index).found
        let wanted = Self.nearest(found.filter { kinds.contains($0.object.kind) })
        return wanted.count == 1 ? wanted[0] : nil
    }

    private func text(of object: SimulationObject, isWhole: Bool) -> String {
        let server = servers[object.server]
        let prefix = servers.count > 1 || isWhole ? "\(server.name)/" : ""
        let isAlone = server.accessories.count == 1 && !isWhole
        let accessory = accessory(of: object)
        switch object {
        case .server: return server.name
        case .accessory(_, let aid): return prefix + (accessory?.name ?? "\(aid)")
        case .service(_, let aid, let key):
            let name = service(of: object)?.name ?? "\(key.type)"
            return prefix + (isAlone ? name : "\(accessory?.name ?? "\(aid)")/\(name)")
        case .characteristic(let place):
            guard let found = find(place) else { return prefix + "\(place.id)" }
            let path = "\(found.service.name)/\(found.characteristic.name)"
            return prefix + (isAlone ? path : "\(found.accessory.name)/\(path)")
        }
    }

    /// Everything that can be named, as people would write it; for completion.
    package func texts(of kinds: Set<SimulationObject.Kind>) -> [String] {
        var known: Set<String> = []
        return objects(of: kinds).map { text(of: $0) }.filter { known.insert($0).inserted }
    }

    /// Everything of these kinds.
    func objects(of kinds: Set<SimulationObject.Kind>) -> [SimulationObject] {
        index.entries.lazy.filter { $0.isFirst && kinds.contains($0.object.kind) }.map(\.object)
    }

    /// Something and all its parts.
    func parts(of object: SimulationObject) -> [SimulationObject] {
        index.parts(of: object)
    }

    // MARK: -

    private func find(
        _ place: SimulationPlace
    ) -> (accessory: SimulatedAccessory, service: SimulatedService, characteristic: SimulatedCharacteristic)? {
        guard let path = index.path(of: .characteristic(place)) else { return nil }
        let accessory = servers[path.server].accessories[path.accessory]
        let service = accessory.services[path.service]
        return (accessory, service, service.characteristics[path.characteristic])
    }

    private func accessory(of object: SimulationObject) -> SimulatedAccessory? {
        index.path(of: object).map { servers[$0.server].accessories[$0.accessory] }
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
        // Each is among them once.
        return entries.lazy.filter { $0.rank == rank }.map(\.object)
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
            let services = accessory(of: object)?.services ?? []
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
