internal import AccessoryModel
internal import HAPCore

extension HomeMerger {
    /// What is known of an accessory of the file; notes when it may be several.
    private mutating func known(_ accessory: DocumentedPlacement) -> KnownAccessory? {
        if let reference = accessory.reference, let found = known.accessory(at: reference) { return found }
        let bridge = accessory.bridge.map { bridge in
            document.accessories.first { $0.chosenName?.key == MergeDirectory.key(of: bridge.value) }?.accessory.value
                ?? bridge.value
        }
        var found = known.accessories(named: accessory.accessory.value, behind: bridge)
        if let aid = accessory.aid, accessory.deviceID == nil || found.count > 1 {
            found.removeAll { $0.reference?.aid != aid }
        }
        if found.count > 1 {
            report(
                accessory.accessory.place,
                HomeError(
                    .ambiguousName,
                    at: home.name.text,
                    "\(found.count) accessories are called \(ObjectName.quoted(accessory.accessory.value)).",
                    remedy: "Say which one with \"deviceID\" and \"aid\"."
                )
            )
        }
        return found.first
    }

    /// Finds out which accessories of the home are those of the file.
    mutating func identifyAccessories() {
        let byReference = Dictionary(
            home.accessories.compactMap { accessory in accessory.reference.map { ($0, accessory.id) } }
        ) { first, _ in first }
        let byName = Dictionary(home.accessories.map { ($0.name.key, $0.id) }) { first, _ in first }
        var taken: Set<ObjectID<HomeAccessory>> = []
        for accessory in document.accessories {
            let known = known(accessory)
            var id = [accessory.reference, known?.reference].lazy.compactMap { $0.flatMap { byReference[$0] } }.first
            if id == nil {
                // An accessory elsewhere is another one, whatever it is called.
                let names = [accessory.name?.value.key, MergeDirectory.key(of: accessory.accessory.value)]
                id = names.lazy.compactMap { $0.flatMap { byName[$0] } }
                    .first { candidate in
                        let reference = home.accessory(candidate)?.reference
                        return reference == nil || accessory.reference == nil && known?.reference == nil
                    }
            }
            if let found = id, !taken.insert(found).inserted {
                report(
                    accessory.accessory.place,
                    HomeError(
                        .accessoryTwice,
                        at: home.name.text,
                        "\(ObjectName.quoted(accessory.accessory.value)) stands in the file twice.",
                        remedy: "Put both together."
                    )
                )
                id = nil
            }
            placed.append(id)
            if id == nil {
                knownOfNew[placed.count - 1] = known
            } else if let known, let id {
                announced[id] = known.announced
                knownReference[id] = known.reference
            }
        }
    }

    mutating func mergeAccessories() {
        var names: Set<String> = []
        for (position, accessory) in document.accessories.enumerated() {
            guard let chosen = accessory.chosenName else {
                report(
                    accessory.accessory.place,
                    HomeError(
                        .emptyName,
                        at: home.name.text,
                        "\(ObjectName.quoted(accessory.accessory.value)) is no name for people.",
                        remedy: "Give the accessory a \"name\"."
                    )
                )
                continue
            }
            if let id = placed[position] {
                update(id, to: accessory)
            } else {
                placed[position] = add(accessory, named: chosen, known: knownOfNew[position])
            }
            guard let id = placed[position], let index = accessoryIndex(id) else { continue }
            let name = home.accessories[index].name
            note(accessory.accessory.place, at: [name])
            if !names.insert(name.key).inserted {
                report(
                    accessory.name?.place ?? accessory.accessory.place,
                    .duplicateName(name, "another accessory", at: place(name))
                )
            }
            if home.accessories[index].reference == nil, announced[id] == nil {
                reportMissing(accessory, named: name)
            }
        }
        // Another pass, since a bridge may stand behind what is behind it.
        mergeBridges()
        mergeServices()
    }

    private mutating func reportMissing(_ accessory: DocumentedPlacement, named name: ObjectName) {
        hasUnknownServices = hasUnknownServices || accessory.services.isEmpty
        var error = HomeError(
            .notFound,
            at: place(name),
            "Nobody knows the accessory \(ObjectName.quoted(accessory.accessory.value)).",
            remedy: "Pair it or serve it, and import the file again."
        )
        if missing.count < 200, let near = Spelling.nearest(to: accessory.accessory.value, among: known.names),
            MergeDirectory.key(of: near) != MergeDirectory.key(of: accessory.accessory.value)
        {
            error.remedy = "Did you mean \(near.withVisibleControls)? Else pair or serve it, and import the file again."
        }
        missing.append(HomeFinding(at: accessory.accessory.place, error))
    }

    private mutating func add(
        _ accessory: DocumentedPlacement,
        named name: ObjectName,
        known: KnownAccessory?
    ) -> ObjectID<HomeAccessory> {
        let reference = known?.reference ?? accessory.reference
        var added = HomeAccessory(
            id: ObjectID(number()),
            name: name,
            reference: reference,
            category: known?.announced.category ?? accessory.category,
            isReachable: known?.reference != nil
        )
        let structure = known?.announced ?? AnnouncedAccessory(placeholder: accessory)
        do throws(HomeError) {
            try home.checkStructure(of: structure, replacing: 0, at: place(name))
        } catch {
            report(accessory.accessory.place, error)
            return added.id
        }
        for index in structure.services.indices {
            added.services.append(
                structure.services[index]
                    .home(id: number(), name: structure.sensibleName(of: index, accessory: name))
            )
        }
        unnamed.formUnion(added.services.lazy.filter(\.isShown).map(\.id))
        announced[added.id] = known?.announced
        home.accessories.append(added)
        return added.id
    }

    private mutating func update(_ id: ObjectID<HomeAccessory>, to accessory: DocumentedPlacement) {
        guard let index = accessoryIndex(id) else { return }
        if let name = accessory.name {
            home.accessories[index].name = name.value
        }
        let before = home.accessories[index]
        if let reference = knownReference[id] ?? accessory.reference, before.reference == nil {
            home.accessories[index].reference = reference
            home.accessories[index].isReachable = knownReference[id] != nil
        }
        do throws(HomeError) {
            if let structure = announced[id] {
                guard !structure.isStructure(of: before) else { return }
                _ = try home.updateAccessory(id, to: structure)
            } else if before.reference == nil || before.services.isEmpty {
                try completePlaceholder(id, with: accessory)
            }
            if before.category == nil, announced[id] == nil {
                home.accessories[index].category = accessory.category
            }
        } catch {
            report(accessory.accessory.place, error)
        }
    }

    /// Gives an accessory that nobody has found the services of which the file tells and which it does not have.
    private mutating func completePlaceholder(
        _ id: ObjectID<HomeAccessory>,
        with accessory: DocumentedPlacement
    ) throws(HomeError) {
        guard let index = accessoryIndex(id) else { return }
        for service in accessory.services {
            let services = home.accessories[index].services
            guard ServiceDesignation(service.key.value).position(in: services, announced: nil) == nil,
                let announced = AnnouncedService(placeholder: service)
            else { continue }
            if services.contains(where: { $0.name.key == service.name?.value.key }) { continue }
            let name = ObjectName(sensibly: announced.name ?? announced.type.written) ?? .service
            let added = announced.home(id: number(), name: name)
            unnamed.insert(added.id)
            home.accessories[index].services.append(added)
        }
    }

    private mutating func mergeBridges() {
        let names = Dictionary(home.accessories.map { ($0.name.key, $0.id) }) { first, _ in first }
        let aliases = Dictionary(
            zip(document.accessories, placed)
                .compactMap { accessory, id in
                    id.map { (MergeDirectory.key(of: accessory.accessory.value), $0) }
                }
        ) { first, _ in first }
        let servers = Dictionary(
            home.accessories.compactMap { accessory in accessory.reference.map { ($0, accessory.id) } }
        ) { first, _ in first }
        for (position, accessory) in document.accessories.enumerated() {
            guard let id = placed[position], let index = accessoryIndex(id) else { continue }
            if let bridge = accessory.bridge {
                let key = MergeDirectory.key(of: bridge.value)
                guard let found = names[key] ?? aliases[key] else {
                    report(
                        bridge.place,
                        unknown("accessory", bridge.value, among: home.accessories.map(\.name.text))
                    )
                    continue
                }
                home.accessories[index].bridge = found
            } else if knownOfNew[position]?.bridge != nil, let server = home.accessories[index].reference?.server {
                // Who is known to be behind a bridge that is in the home needs no word about it.
                let bridge = servers[AccessoryReference(server: server, aid: .primary)]
                home.accessories[index].bridge = bridge == id ? nil : bridge
            }
        }
    }

    func accessoryIndex(_ id: ObjectID<HomeAccessory>) -> Int? {
        home.accessories.firstIndex { $0.id == id }
    }
}

extension AnnouncedAccessory {
    /// What can be told of an accessory that nobody knows: the services whose types the file says.
    fileprivate init(placeholder accessory: DocumentedPlacement) {
        self.init(
            name: accessory.accessory.value,
            category: accessory.category,
            services: accessory.services.compactMap(AnnouncedService.init(placeholder:))
        )
    }

    /// Whether an accessory of a home is made of this already.
    fileprivate func isStructure(of accessory: HomeAccessory) -> Bool {
        guard services.count == accessory.services.count, category == nil || category == accessory.category else {
            return false
        }
        return zip(services, accessory.services)
            .allSatisfy { service, kept in
                var same = service.home(id: kept.id.rawValue, name: kept.name)
                same.room = kept.room
                same.associatedType = kept.associatedType
                return same == kept
            }
    }
}

extension AnnouncedService {
    /// What can be told of a service that nobody knows: what its type requires and allows.
    ///
    /// `nil` when the file does not say the type. A vendor's has no characteristics that anybody knew.
    fileprivate init?(placeholder service: DocumentedPlacement.Service) {
        let designation = ServiceDesignation(service.key.value)
        guard let type = service.type ?? designation.type else { return nil }
        let definition = Catalogue.service(type)
        let types = (definition?.required ?? []) + (definition?.optional ?? [])
        self.init(
            name: designation.type == nil ? service.key.value : nil,
            type: type,
            characteristics: types.compactMap(Catalogue.characteristic)
                .map { HomeCharacteristic(type: $0.type, permissions: $0.permissions, metadata: $0.metadata) }
        )
    }
}
