internal import AccessoryModel
internal import Documents
internal import HAPCore

extension HomeMerger {
    /// Whether nobody knows an accessory and nobody has ever found it, whatever a file says of where it is.
    func isMissing(_ accessory: HomeAccessory) -> Bool {
        announced[accessory.id] == nil && !accessory.isFound
    }

    mutating func reportMissing(_ accessory: HomeDescription.Accessory, at position: Int, named name: ObjectName) {
        let text = accessory.accessory.value
        var error = HomeError(
            .notFound,
            at: place(name),
            "Nobody knows the accessory \(ObjectName.quoted(text)).",
            remedy: "Pair it or serve it, and import the file again."
        )
        if let other = elsewhere[position], let reference = accessory.reference {
            error.reason = "Nobody knows the accessory \(ObjectName.quoted(text)) at \(reference)."
            error.remedy = "One that is called so is at \(other): write that, or leave \"deviceID\" away."
        } else if let near = findings.spelling.nearest(to: text, among: known.names),
            MergeDirectory.key(of: near) != MergeDirectory.key(of: text)
        {
            error.remedy = "Did you mean \(near.withVisibleControls)? Else pair or serve it, and import the file again."
        }
        findings.missing.append(error, at: accessory.accessory.location)
    }

    /// Gives an accessory that nobody has found the services of which the file tells and which it does not have.
    mutating func completePlaceholder(
        _ placeholder: HomeAccessory,
        with accessory: HomeDescription.Accessory
    ) throws(HomeError) -> [HomeService] {
        let existing = placeholder.services
        let added = accessory.placeholders(beside: existing)
            .map { (HomeService(placeholder: $0.type, id: ObjectID(number())), $0.name) }
        let all = existing + added.map(\.0)
        try home.checkStructure(
            of: all.map { $0.characteristics.map(\.iid) },
            replacing: existing.count,
            at: place(placeholder.name)
        )
        return existing + named(added, beside: existing, of: placeholder.name)
    }

    /// New services of an accessory with sensible names, until the file says others.
    ///
    /// - Parameter services: The services with what they call themselves.
    mutating func named(
        _ services: [(service: HomeService, name: String?)],
        beside existing: [HomeService],
        of accessory: ObjectName
    ) -> [HomeService] {
        let shown = (existing + services.map(\.service)).count(where: \.isShown)
        return services.map { service, name in
            var service = service
            service.name = .sensible(for: service, announcedAs: name, accessory, isAlone: shown == 1)
            if service.isShown {
                unnamed.insert(service.id)
            }
            return service
        }
    }
}

extension HomeDescription.Accessory {
    /// How many services of a type are made for one that is the last of so many.
    static let maximumPlaceholders = 64

    /// What can be told of the services that nobody knows: of those whose types the file says, and that are not there.
    func placeholders(beside existing: [HomeService]) -> [(type: ServiceType, name: String?)] {
        var counts: [ServiceType: Int] = [:]
        for service in existing {
            counts[service.type, default: 0] += 1
        }
        let names = Set(existing.map(\.name.key))
        let positions = ServicePositions(of: existing)
        var made: [(type: ServiceType, name: String?)] = []
        for service in services where made.count <= HomeLimits.services {
            let designation = ServiceDesignation(service.key.value)
            guard let type = service.type ?? designation.type,
                positions.position(of: designation) == nil,
                service.name.map({ !names.contains($0.value.key) }) ?? true
            else { continue }
            // What is a type in other cases, too, is a name where the type stands beside it: a UUID may be "Bed".
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
    /// What can be told of a service that nobody knows: what its type requires and allows.
    ///
    /// A vendor's has no characteristics that anybody knew.
    fileprivate init(placeholder type: ServiceType, id: ObjectID<HomeService>) {
        let definition = Catalogue.service(type)
        let types = (definition?.required ?? []) + (definition?.optional ?? [])
        self.init(
            id: id,
            name: .service,
            type: type,
            characteristics: types.compactMap(Catalogue.characteristic).map { HomeCharacteristic(.init($0)) }
        )
    }
}
