internal import AccessoryModel
internal import HAPCore

extension HomeMerger {
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
                consequences += try home.updateAccessory(id, to: structure)
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

    func accessoryIndex(_ id: ObjectID<HomeAccessory>) -> Int? {
        home.accessories.firstIndex { $0.id == id }
    }
}
