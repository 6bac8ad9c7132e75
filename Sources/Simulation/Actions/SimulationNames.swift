package import AccessoryModel
package import HAPCore

/// An index that resolves names and ids among the servers of a simulation.
package struct SimulationNames: Sendable {
    /// The servers, with numbers after names that are used more than once.
    package let servers: [NamedServer]
    /// The index of all names.
    let index: NameIndex

    /// The objects, by their numbers in the index.
    private let entries: [Entry]
    private let numbers: [SimulationObject: Int]

    /// An object with its position and the positions of its parents, each counted among its siblings.
    private struct Entry: Sendable {
        var object: SimulationObject
        var server = 0
        var accessory = 0
        var service = 0
        var characteristic = 0
    }

    /// Creates an index of servers.
    package init(_ servers: [NamedServer]) {
        self.servers = servers.disambiguated()
        var index = NameIndex()
        var entries: [Entry] = []
        var numbers: [SimulationObject: Int] = [:]
        func add(_ entry: Entry, _ name: String, id: String? = nil, _ keys: [String], _ otherKeys: [String] = []) {
            // Of two objects with the same ids, the second cannot be addressed.
            let isFirst = numbers[entry.object] == nil
            let number = index.add(
                entry.object.kind,
                name,
                id: id,
                keys: keys,
                otherKeys: otherKeys,
                isAddressable: isFirst
            )
            if isFirst { numbers[entry.object] = number }
            entries.append(entry)
        }
        for (position, server) in self.servers.enumerated() {
            let place = server.id
            var entry = Entry(object: .server(place), server: position)
            add(entry, server.name, server.lookupKeys)
            for (position, accessory) in server.accessories.enumerated() {
                entry.object = .accessory(server: place, accessory.aid)
                entry.accessory = position
                add(entry, accessory.name, id: "\(accessory.aid)", accessory.lookupKeys)
                for (position, service) in accessory.services.enumerated() {
                    entry.object = .service(server: place, accessory.aid, service.key)
                    entry.service = position
                    add(entry, service.name, service.lookupKeys, service.fallbackKeys)
                    for (position, found) in service.characteristics.enumerated() {
                        entry.object = .characteristic(ServerCharacteristicID(server: place, found.id))
                        entry.characteristic = position
                        add(entry, found.name, id: "\(found.id)", found.lookupKeys, found.fallbackKeys)
                    }
                }
            }
        }
        (self.index, self.entries, self.numbers) = (index, entries, numbers)
    }

    /// Resolves a name.
    ///
    /// If only services are acceptable, the name of a characteristic refers to its service. The name of an accessory
    /// then refers to its only simulated service.
    ///
    /// - Parameters:
    ///   - kinds: The acceptable kinds of objects.
    ///   - command: The command that a service is to perform, if only these are to be suggested.
    ///   - suggestions: The suggestions of errors, shared by several lookups.
    /// - Throws: ``SimulationError`` if the name is unknown, with similar names, or if it is ambiguous.
    package func resolve(
        _ target: SimulationTarget,
        as kinds: Set<NameLevel> = Set(NameLevel.allCases),
        for command: BehaviorCommand? = nil,
        _ suggestions: NameSuggestions? = nil
    ) throws(SimulationError) -> SimulationObject {
        let suggestions = suggestions ?? NameSuggestions(of: index)
        switch match(target, kinds) {
        case .unique(let number): return entries[number].object
        case .ambiguous(let numbers): throw ambiguous(target, numbers, kinds)
        case .wrongLevel(let number): throw wrongKind(target, number, kinds, suggestions)
        case .notFound: throw unknown(target, kinds, suggestions, for: command)
        }
    }

    /// Returns whether a name resolves to exactly one object of these kinds.
    package func isKnown(_ target: SimulationTarget, as kinds: Set<NameLevel>) -> Bool {
        if case .unique = match(target, kinds) { true } else { false }
    }

    private func match(_ target: SimulationTarget, _ kinds: Set<NameLevel>) -> NameMatch {
        index.match(target.text, as: kinds) { number in
            guard kinds == [.service] else { return [] }
            let entry = entries[number]
            switch entry.object {
            case .server, .service: return []
            case .accessory(let server, let aid):
                return servers[entry.server].accessories[entry.accessory].services.filter(\.isSimulated)
                    .compactMap { numbers[.service(server: server, aid, $0.key)] }
            case .characteristic(let place):
                return service(at: place)
                    .flatMap { numbers[.service(server: place.server, place.id.aid, $0.key)] }.map { [$0] } ?? []
            }
        }
    }

    /// Returns the characteristic that a name refers to.
    ///
    /// - Throws: ``SimulationError`` if the name is unknown or ambiguous.
    package func characteristic(
        _ target: SimulationTarget,
        _ suggestions: NameSuggestions? = nil
    ) throws(SimulationError) -> (place: ServerCharacteristicID, characteristic: NamedCharacteristic) {
        let object = try resolve(target, as: [.characteristic], suggestions)
        guard case .characteristic(let place) = object, let found = characteristic(at: place) else {
            throw unknown(target, [.characteristic], suggestions ?? NameSuggestions(of: index))
        }
        return (place, found)
    }

    /// Returns the service that a name refers to.
    ///
    /// - Parameter command: The command that the service is to perform: an error suggests services that can.
    /// - Throws: ``SimulationError`` if the name is unknown or ambiguous.
    package func service(
        _ target: SimulationTarget,
        for command: BehaviorCommand? = nil,
        _ suggestions: NameSuggestions? = nil
    ) throws(SimulationError) -> (server: Int, aid: AccessoryID, key: ServiceKey) {
        guard
            case .service(let server, let aid, let key) = try resolve(target, as: [.service], for: command, suggestions)
        else {
            throw unknown(target, [.service], suggestions ?? NameSuggestions(of: index), for: command)
        }
        return (server, aid, key)
    }

    /// Returns the characteristic with an id; `nil` if there is none.
    package func characteristic(at place: ServerCharacteristicID) -> NamedCharacteristic? {
        entry(of: .characteristic(place))
            .flatMap { entry in
                service(of: entry)?.characteristics[entry.characteristic]
            }
    }

    /// Returns the service of a characteristic; `nil` if there is none.
    package func service(at place: ServerCharacteristicID) -> NamedService? {
        entry(of: .characteristic(place)).flatMap(service)
    }

    /// Returns the service that an object is; `nil` for any other object.
    package func service(of object: SimulationObject) -> NamedService? {
        guard case .service = object else { return nil }
        return entry(of: object).flatMap(service)
    }

    /// Returns what to do instead of setting a characteristic that follows from the state of its device.
    ///
    /// - Parameter controls: The types from which it follows.
    package func remedy(_ controls: [CharacteristicType], insteadOf place: ServerCharacteristicID) -> String {
        let present = service(at: place)?.characteristics.filter { controls.contains($0.type) } ?? []
        let names = present.map { text(of: .characteristic(ServerCharacteristicID(server: place.server, $0.id))) }
        return names.isEmpty
            ? "It follows from the present state of the device; change that first."
            : "It follows from \(names.joined(separator: " and ")); set "
                + (names.count > 1 ? "these instead." : "that instead.")
    }

    /// Returns a short name: `Garage Door/Target Door State`.
    package func text(of object: SimulationObject) -> String {
        numbers[object].map(index.text) ?? "?"
    }

    /// Returns a text that ``resolve(_:as:_:)`` resolves to this object among objects of every kind, or `nil` if there
    /// is none.
    package func target(of object: SimulationObject) -> SimulationTarget? {
        numbers[object]
            .flatMap { index.distinctText(of: $0, as: Set(NameLevel.allCases)) }
            .map { SimulationTarget($0) }
    }

    /// Returns the names of all objects of these kinds, for completion.
    package func texts(of kinds: Set<NameLevel>) -> [String] {
        index.texts(of: kinds)
    }

    /// Returns the objects with these numbers in the index.
    func objects(at numbers: [Int]) -> [SimulationObject] {
        numbers.map { entries[$0].object }
    }

    /// Returns an object and all its parts.
    func subtree(of object: SimulationObject) -> [SimulationObject] {
        objects(at: numbers[object].map(index.parts) ?? [])
    }

    private func entry(of object: SimulationObject) -> Entry? {
        numbers[object].map { entries[$0] }
    }

    private func service(of entry: Entry) -> NamedService? {
        servers[entry.server].accessories[entry.accessory].services[entry.service]
    }
}
