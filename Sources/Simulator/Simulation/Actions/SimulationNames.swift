package import AccessoryModel
package import HAPCore

/// An index that resolves names and ids among the servers of a simulation.
package struct SimulationNames: Sendable {
    /// Returns the id of a declared characteristic, or `nil` if it has none, so that it has no name.
    package typealias IDLookup = (Accessory, Service, Characteristic) -> CharacteristicID?

    /// The index of all names.
    let index: NameIndex

    /// The drivers of accessories.
    private var drivers: [SimulationObject: DriverSetting] = [:]
    /// The accessories of each server, as they were declared.
    private let accessories: [[Accessory]]
    /// The objects, by their numbers in the index.
    private let entries: [Entry]
    private let numbers: [SimulationObject: Int]

    /// An object with its position and the positions of its parents, each counted among its siblings.
    private struct Entry: Sendable {
        var object: SimulationObject
        var server: Int
        var accessory = 0
        var service = 0
        var characteristic = 0
    }

    /// An object with its names, before it is added to the index.
    private struct NamedObject {
        let object: SimulationObject
        let position: Int
        var name: String
        var id: String?
        /// The keys under which names find the object.
        var keys: [String]
        /// The keys that are used if no other name matches.
        var otherKeys: [String] = []
    }

    /// Creates an index of servers.
    ///
    /// - Parameter servers: The number of each server, by which objects refer to it, its name, its accessories with the
    ///   primary one first, and the ids of their characteristics.
    package init(_ servers: [(id: Int, name: String, accessories: [Accessory], ids: IDLookup)]) {
        var index = NameIndex()
        var entries: [Entry] = []
        var numbers: [SimulationObject: Int] = [:]
        func add(_ named: NamedObject, _ entry: Entry) {
            // Of two objects with the same ids, the second cannot be addressed.
            let isFirst = numbers[named.object] == nil
            let number = index.add(
                named.object.kind,
                named.name,
                id: named.id,
                keys: named.keys,
                otherKeys: named.otherKeys,
                isAddressable: isFirst
            )
            if isFirst { numbers[named.object] = number }
            entries.append(entry)
        }
        let all = servers.enumerated()
            .map { position, server in
                let keys = NameIndex.keys([server.name])
                return NamedObject(object: .server(server.id), position: position, name: server.name, keys: keys)
            }
        for server in Self.disambiguated(all) {
            let (id, _, declared, ids) = servers[server.position]
            var entry = Entry(object: server.object, server: server.position)
            add(server, entry)
            for accessory in Self.accessories(declared, ofServer: id, ids) {
                (entry.object, entry.accessory) = (accessory.object, accessory.position)
                add(accessory, entry)
                for service in Self.services(of: declared[accessory.position], ofServer: id, ids) {
                    (entry.object, entry.service) = (service.object, service.position)
                    add(service, entry)
                    let parent = (declared[accessory.position], declared[accessory.position].services[service.position])
                    for (position, characteristic) in parent.1.characteristics.enumerated() {
                        guard let item = ids(parent.0, parent.1, characteristic) else { continue }
                        let object = SimulationObject.characteristic(ServerCharacteristicID(server: id, item))
                        (entry.object, entry.characteristic) = (object, position)
                        add(
                            NamedObject(
                                object: object,
                                position: position,
                                name: characteristic.name,
                                id: "\(item)",
                                keys: NameIndex.keys([item.description] + characteristic.base.names),
                                otherKeys: NameIndex.keys(characteristic.base.otherNames)
                            ),
                            entry
                        )
                    }
                }
            }
        }
        (self.index, self.entries, self.numbers) = (index, entries, numbers)
        accessories = servers.map(\.accessories)
    }

    /// Adds the drivers of a server, by the keys of their accessories.
    package mutating func add(_ drivers: [String: DriverSetting], ofServer id: Int) {
        guard !drivers.isEmpty else { return }
        for entry in entries {
            guard case .accessory(let server, _) = entry.object, server == id else { continue }
            self.drivers[entry.object] = drivers[accessories[entry.server][entry.accessory].key]
        }
    }

    /// Finds the accessory with a driver by its own name, by that of one of its parts, or by that of its server.
    ///
    /// - Throws: ``SimulationError`` if there is none, or if the server has several.
    func driver(
        of target: SimulationTarget,
        _ suggestions: NameSuggestions?
    ) throws(SimulationError) -> (SimulationObject, DriverSetting) {
        let found = try resolve(target, suggestions)
        let candidates: [SimulationObject] =
            switch found {
            case .server(let id): drivers.keys.filter { $0.server == id }
            case .accessory: [found]
            case .service(let id, let aid, _): [.accessory(server: id, aid)]
            case .characteristic(let place): [.accessory(server: place.server, place.id.aid)]
            }
        guard let object = candidates.first, candidates.count == 1, let driver = drivers[object] else {
            throw SimulationError(
                candidates.count > 1 ? .ambiguousName : .refused,
                candidates.count > 1
                    ? "\(target.text.escapingControlCharacters) has several accessories with drivers."
                    : "\(target.text.escapingControlCharacters) has no driver.",
                "Name an accessory whose definition has \"driver:\"."
            )
        }
        return (object, driver)
    }

    /// Creates an index of servers that were never started, with numbers from 0.
    ///
    /// - Throws: ``ModelError`` if the accessories of one cannot be served.
    package init(
        unstarted servers: [(name: String, accessories: [Accessory], isVerbatim: Bool)]
    ) throws(ModelError) {
        var started: [(id: Int, name: String, accessories: [Accessory], ids: IDLookup)] = []
        for (id, server) in servers.enumerated() {
            let ids = try Self.ids(ofUnstarted: server.accessories, isVerbatim: server.isVerbatim)
            started.append((id, server.name, server.accessories, ids))
        }
        self.init(started)
    }

    /// Returns the ids that the characteristics of a server would have if it was never started before.
    ///
    /// - Throws: ``ModelError`` if the accessories cannot be served.
    package static func ids(
        ofUnstarted declared: [Accessory],
        isVerbatim: Bool = false
    ) throws(ModelError) -> IDLookup {
        var identifiers = IdentifierMap()
        let database = try AttributeDatabase(declared, identifiers: &identifiers, isVerbatim: isVerbatim)
        return { accessory, service, characteristic in
            guard let aid = identifiers.accessories[accessory.key] else { return nil }
            return database.service(service.key, of: aid)
                .flatMap { database.characteristic(characteristic.type, of: $0) }
                .map { database.characteristics[$0].id }
        }
    }

    /// Returns the accessories that have ids.
    ///
    /// The name of an accessory is the value of its Name characteristic, or its key if there is none.
    private static func accessories(_ declared: [Accessory], ofServer id: Int, _ ids: IDLookup) -> [NamedObject] {
        let named = declared.enumerated()
            .compactMap { position, accessory -> NamedObject? in
                guard let aid = aid(of: accessory, in: accessory.services, ids) else { return nil }
                let information = accessory.services.first { $0.key.type == .accessoryInformation }
                let name = information?.nonBlankText(.name) ?? accessory.key
                return NamedObject(
                    object: .accessory(server: id, aid),
                    position: position,
                    name: name,
                    id: "\(aid)",
                    keys: NameIndex.keys([name, aid.description])
                )
            }
        return disambiguated(named)
    }

    /// Returns the services that have ids.
    ///
    /// The name of a service is its Configured Name or its Name, or the name of its type if it has neither.
    private static func services(of accessory: Accessory, ofServer id: Int, _ ids: IDLookup) -> [NamedObject] {
        let named = accessory.services.enumerated()
            .compactMap { position, service -> NamedObject? in
                guard let aid = aid(of: accessory, in: [service], ids) else { return nil }
                let given = service.nonBlankText(.configuredName) ?? service.nonBlankText(.name)
                // The Name in Accessory Information is the name of the accessory, not of the service.
                let name = (service.key.type == .accessoryInformation ? nil : given) ?? service.key.type.description
                return NamedObject(
                    object: .service(server: id, aid, service.key),
                    position: position,
                    name: name,
                    keys: NameIndex.keys([name] + service.key.type.names),
                    // The id of the service in its definition.
                    otherKeys: service.key.subtype.isEmpty ? [] : NameIndex.keys([service.key.subtype])
                )
            }
        return disambiguated(named)
    }

    /// Returns the id of an accessory, or `nil` if none of the services has a characteristic with an id.
    private static func aid(of accessory: Accessory, in services: [Service], _ ids: IDLookup) -> AccessoryID? {
        for service in services {
            for characteristic in service.characteristics {
                if let id = ids(accessory, service, characteristic) { return id.aid }
            }
        }
        return nil
    }

    /// Returns siblings with a number after each name that another one has; both names refer to the object.
    ///
    /// A number is skipped if a sibling has that name already.
    private static func disambiguated(_ siblings: [NamedObject]) -> [NamedObject] {
        let names = NameIndex.numbered(siblings.map(\.name), taken: Set(siblings.flatMap(\.keys)))
        return zip(siblings, names)
            .map { sibling, name in
                guard name != sibling.name else { return sibling }
                var numbered = sibling
                numbered.name = name
                numbered.keys.append(NameIndex.key(name))
                return numbered
            }
    }

    /// The names of the servers in their order, with numbers after names that are used more than once.
    package var serverNames: [String] {
        index.numbers(of: [.server]).map(index.text)
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
                return accessories[entry.server][entry.accessory].services.filter(\.isSimulated)
                    .compactMap { numbers[.service(server: server, aid, $0.key)] }
            case .characteristic(let place):
                return service(containing: place).flatMap { numbers[$0] }.map { [$0] } ?? []
            }
        }
    }

    /// Returns the characteristic that a name refers to.
    ///
    /// - Throws: ``SimulationError`` if the name is unknown or ambiguous.
    package func characteristic(
        _ target: SimulationTarget,
        _ suggestions: NameSuggestions? = nil
    ) throws(SimulationError) -> (place: ServerCharacteristicID, characteristic: Characteristic) {
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
    func service(
        _ target: SimulationTarget,
        for command: BehaviorCommand? = nil,
        _ suggestions: NameSuggestions? = nil
    ) throws(SimulationError) -> SimulationObject {
        try resolve(target, as: [.service], for: command, suggestions)
    }

    /// Returns the characteristic with an id; `nil` if there is none.
    package func characteristic(at place: ServerCharacteristicID) -> Characteristic? {
        entry(of: .characteristic(place))
            .flatMap { entry in
                service(of: entry)?.characteristics[entry.characteristic]
            }
    }

    /// Returns the service of a characteristic; `nil` if there is none.
    package func service(at place: ServerCharacteristicID) -> Service? {
        entry(of: .characteristic(place)).flatMap(service)
    }

    /// Returns the service of a characteristic as an object; `nil` if there is none.
    package func service(containing place: ServerCharacteristicID) -> SimulationObject? {
        service(at: place).map { .service(server: place.server, place.id.aid, $0.key) }
    }

    /// Returns the service that an object is; `nil` for any other object.
    package func service(of object: SimulationObject) -> Service? {
        guard case .service = object else { return nil }
        return entry(of: object).flatMap(service)
    }

    /// Returns what to do instead of setting a characteristic that follows from the state of its device.
    ///
    /// - Parameter controls: The types from which it follows.
    package func remedy(_ controls: [CharacteristicType], insteadOf place: ServerCharacteristicID) -> String {
        let siblings = service(containing: place).map(subtree) ?? []
        let names = siblings.compactMap { object -> String? in
            guard case .characteristic(let sibling) = object, let type = characteristic(at: sibling)?.type,
                controls.contains(type)
            else { return nil }
            return text(of: object)
        }
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

    /// Returns the services that can perform a command.
    package func services(
        supporting command: BehaviorCommand
    ) -> some Sequence<SimulationObject> {
        objects(at: index.numbers(of: [.service])).lazy
            .filter { service(of: $0)?.commands.contains(command) ?? false }
    }

    /// Returns an object and all its parts.
    package func subtree(of object: SimulationObject) -> [SimulationObject] {
        objects(at: numbers[object].map(index.parts) ?? [])
    }

    private func entry(of object: SimulationObject) -> Entry? {
        numbers[object].map { entries[$0] }
    }

    private func service(of entry: Entry) -> Service? {
        accessories[entry.server][entry.accessory].services[entry.service]
    }
}
