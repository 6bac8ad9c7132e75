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
        _ id: ObjectID<HomeAccessory>,
        with accessory: HomeDescription.Accessory
    ) throws(HomeError) {
        guard let index = accessoryIndex(id) else { return }
        let before = home.accessories[index]
        let added = accessory.placeholders(beside: before.services)
        guard !added.isEmpty else { return }
        let services = try services(added, beside: before.services, of: before.name)
        home.accessories[index].services += services
    }

    /// The services of an accessory that the home does not have yet, with sensible names until the file says others.
    mutating func services(
        _ announced: [AnnouncedService],
        beside existing: [HomeService],
        of accessory: ObjectName
    ) throws(HomeError) -> [HomeService] {
        let structure = AnnouncedAccessory(name: nil, services: existing.map(AnnouncedService.init) + announced)
        try home.checkStructure(of: structure, replacing: existing.count, at: place(accessory))
        var services: [HomeService] = []
        for (position, service) in announced.enumerated() {
            let name = structure.sensibleName(of: existing.count + position, accessory: accessory)
            let added = service.home(id: number(), name: name)
            if added.isShown {
                unnamed.insert(added.id)
            }
            services.append(added)
        }
        return services
    }
}

extension HomeDescription.Accessory {
    /// How many services of a type are made for one that is the last of so many.
    static let maximumPlaceholders = 64

    /// What can be told of the services that nobody knows: of those whose types the file says, and that are not there.
    func placeholders(beside existing: [HomeService]) -> [AnnouncedService] {
        var counts: [ServiceType: Int] = [:]
        for service in existing {
            counts[service.type, default: 0] += 1
        }
        let names = Set(existing.map(\.name.key))
        let positions = ServicePositions(of: existing)
        var made: [AnnouncedService] = []
        for service in services where made.count <= HomeLimits.services {
            let designation = ServiceDesignation(service.key.value)
            guard let type = service.type ?? designation.type,
                positions.position(of: designation) == nil,
                service.name.map({ !names.contains($0.value.key) }) ?? true
            else { continue }
            // What is a type in other cases, too, is a name where the type stands beside it: a UUID may be "Bed".
            guard designation.type == type else {
                made.append(AnnouncedService(placeholder: type, name: service.key.value))
                counts[type, default: 0] += 1
                continue
            }
            let wanted = designation.number ?? 1
            while wanted <= Self.maximumPlaceholders, counts[type, default: 0] < wanted {
                made.append(AnnouncedService(placeholder: type, name: nil))
                counts[type, default: 0] += 1
            }
        }
        return made
    }
}

extension AnnouncedService {
    /// What can be told of a service that nobody knows: what its type requires and allows.
    ///
    /// A vendor's has no characteristics that anybody knew.
    fileprivate init(placeholder type: ServiceType, name: String?) {
        let definition = Catalogue.service(type)
        let types = (definition?.required ?? []) + (definition?.optional ?? [])
        self.init(
            name: name,
            type: type,
            characteristics: types.compactMap(Catalogue.characteristic)
                .map { HomeCharacteristic(type: $0.type, permissions: $0.permissions, metadata: $0.metadata) }
        )
    }

    /// What the home has of a service.
    fileprivate init(_ service: HomeService) {
        self.init(
            name: service.name.text,
            type: service.type,
            iid: service.iid,
            isHidden: service.isHidden,
            characteristics: service.characteristics
        )
    }
}
