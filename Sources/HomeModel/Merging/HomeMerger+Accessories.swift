internal import AccessoryModel
internal import Documents
internal import HAPCore

extension HomeMerger {
    mutating func mergeAccessories() {
        var names: Set<String> = []
        for (position, accessory) in document.accessories.enumerated() where !repeated.contains(position) {
            guard let chosen = accessory.chosenName else {
                let reason = "\(ObjectName.quoted(accessory.accessory.value)) is no name for people."
                report(accessory.accessory.location, .emptyName, reason, remedy: "Give the accessory a \"name\".")
                continue
            }
            if let id = placed[position] {
                update(id, to: accessory, known: knownAt[position])
            } else {
                placed[position] = add(accessory, named: chosen, known: knownAt[position])
            }
            guard let id = placed[position], let index = accessoryIndex(id) else { continue }
            let name = home.accessories[index].name
            home.accessories[index].alias = alias(of: accessory, named: name) ?? home.accessories[index].alias
            note(accessory.accessory.location, at: [name])
            if !names.insert(name.key).inserted {
                report(
                    accessory.name?.location ?? accessory.accessory.location,
                    .duplicateName(name, "another accessory", at: place(name))
                )
            }
            let isMissing = isMissing(home.accessories[index])
            hasUnknownServices = hasUnknownServices || isMissing && accessory.services.isEmpty
            if isMissing || elsewhere[position] != nil && knownAt[position] == nil {
                reportMissing(accessory, at: position, named: name)
            }
        }
        // Another pass, since a bridge may stand behind what is behind it.
        mergeBridges()
        mergeServices()
    }

    /// What the file calls an accessory, where that does not say it by its name.
    private func alias(of accessory: HomeDescription.Accessory, named name: ObjectName) -> String? {
        let text = accessory.accessory.value
        guard text.utf8.count <= HomeAccessory.maximumAliasLength, MergeDirectory.key(of: text) != name.key else {
            return nil
        }
        return text
    }

    private mutating func add(
        _ accessory: HomeDescription.Accessory,
        named name: ObjectName,
        known: KnownAccessory?
    ) -> ObjectID<HomeAccessory> {
        var added = HomeAccessory(
            id: ObjectID(number()),
            name: name,
            reference: known?.reference ?? accessory.reference,
            category: known?.category ?? accessory.category
        )
        do throws(HomeError) {
            if let announced = known?.announced {
                try home.checkStructure(of: announced.services.map(\.iids), replacing: 0, at: place(name))
                let services = announced.services.map { (HomeService($0, id: ObjectID(number())), $0.ownName) }
                added.services = named(services, beside: [], of: name)
            } else {
                added.services = try completePlaceholder(added, with: accessory)
            }
        } catch {
            report(accessory.accessory.location, error)
            return added.id
        }
        announced[added.id] = known?.announced
        home.accessories.append(added)
        return added.id
    }

    private mutating func update(
        _ id: ObjectID<HomeAccessory>,
        to accessory: HomeDescription.Accessory,
        known: KnownAccessory?
    ) {
        guard let index = accessoryIndex(id) else { return }
        if let name = accessory.name {
            home.accessories[index].name = name.value
        }
        let before = home.accessories[index]
        // Where a file says that one is which nobody has found is no more than a word.
        if let reference = known?.reference ?? accessory.reference, before.reference == nil || !before.isFound {
            home.accessories[index].reference = reference
        }
        do throws(HomeError) {
            if let known {
                guard !before.has(structureOf: known.announced) || known.category ?? before.category != before.category
                else { return }
                consequences += try home.updateAccessory(id, to: known.announced, category: known.category)
                return
            }
            if isMissing(before) {
                home.accessories[index].services = try completePlaceholder(before, with: accessory)
            }
            if before.category == nil {
                home.accessories[index].category = accessory.category
            }
        } catch {
            report(accessory.accessory.location, error)
        }
    }

    func accessoryIndex(_ id: ObjectID<HomeAccessory>) -> Int? {
        home.accessories.firstIndex { $0.id == id }
    }
}
