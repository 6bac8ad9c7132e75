internal import AccessoryModel
internal import Documents
internal import HAPCore

extension MergedAccessories {
    /// Adds the new accessories of the file to the home, updates the existing ones, and returns the side effects.
    mutating func merge(
        into home: inout Home,
        _ structure: inout StructureUpdate,
        _ diagnostics: inout MergeDiagnostics
    ) -> [EditEffect] {
        var names: Set<String> = []
        var indices = home.accessories.indicesByID
        for (position, entry) in entries.enumerated() where !entry.isRepeated {
            let described = entry.described
            guard let chosen = described.initialName else {
                let reason = "\(ObjectName.quoted(described.accessory.value)) is not a valid name."
                let remedy = "Give the accessory a \"name\"."
                diagnostics.report(described.accessory.location, .emptyName, reason, remedy: remedy)
                continue
            }
            do throws(HomeError) {
                if let id = entry.id, let index = indices[id] {
                    try update(index, to: entry, in: &home, &structure)
                } else if entry.id == nil {
                    assign(position, as: home.newID())
                    try add(entries[position], named: chosen, to: &home, &structure)
                    if let added = home.accessories.last?.id { indices[added] = home.accessories.count - 1 }
                }
            } catch {
                diagnostics.report(described.accessory.location, error)
            }
            guard let index = entries[position].id.flatMap({ indices[$0] }) else { continue }
            let name = home.accessories[index].name
            home.accessories[index].alias = described.alias(besides: name) ?? home.accessories[index].alias
            diagnostics.recordLocation(described.accessory.location, at: name)
            if !names.insert(name.key).inserted {
                let error = HomeError.duplicateName(name, "another accessory", at: diagnostics.path(name))
                diagnostics.report(described.name?.location ?? described.accessory.location, error)
            }
            let isMissing = isMissing(home.accessories[index])
            hasUnknownServices = hasUnknownServices || isMissing && described.services.isEmpty
            if isMissing || entry.conflictingReference != nil && entry.known == nil {
                reportMissing(entry, named: name, &diagnostics)
            }
        }
        return structure.finish(&home)
    }

    private func add(
        _ entry: Entry,
        named name: ObjectName,
        to home: inout Home,
        _ structure: inout StructureUpdate
    ) throws(HomeError) {
        guard let id = entry.id else { return }
        var added = HomeAccessory(
            id: id,
            name: name,
            reference: entry.known?.reference ?? entry.described.reference,
            category: entry.described.category
        )
        added.services =
            if let announced = entry.known?.announced {
                try structure.services(of: announced, named: name, in: &home)
            } else {
                try structure.servicesForPlaceholder(added, as: entry.described, in: &home)
            }
        home.accessories.append(added)
    }

    private func update(
        _ index: Int,
        to entry: Entry,
        in home: inout Home,
        _ structure: inout StructureUpdate
    ) throws(HomeError) {
        if let name = entry.described.name {
            home.accessories[index].name = name.value
        }
        let before = home.accessories[index]
        // If an accessory was never found, its location is only a claim of the file, so it may change.
        if let reference = entry.known?.reference ?? entry.described.reference,
            before.reference == nil || !before.wasDiscovered
        {
            home.accessories[index].reference = reference
        }
        if let known = entry.known {
            guard !before.hasSameStructure(as: known.announced) else { return }
            return try structure.updateAccessory(at: index, to: known.announced, in: &home)
        }
        if isMissing(before) {
            home.accessories[index].services = try structure.servicesForPlaceholder(
                before,
                as: entry.described,
                in: &home
            )
        }
        if before.category == nil {
            home.accessories[index].category = entry.described.category
        }
    }

    private func reportMissing(_ entry: Entry, named name: ObjectName, _ diagnostics: inout MergeDiagnostics) {
        let text = entry.described.accessory.value
        var error = HomeError(
            .notFound,
            at: diagnostics.path(name),
            "The accessory \(ObjectName.quoted(text)) is not known.",
            remedy: "Pair it, and import the file again."
        )
        if let other = entry.conflictingReference, let reference = entry.described.reference {
            error.reason = "The accessory \(ObjectName.quoted(text)) is not known at \(reference)."
            error.remedy = "An accessory with this name is at \(other): write its device ID, or omit \"deviceID\"."
        } else if let near = diagnostics.spelling.nearest(to: text, among: knownNames),
            ServiceNameIndex.key(of: near) != ServiceNameIndex.key(of: text)
        {
            error.remedy =
                "Did you mean \(near.escapingControlCharacters)? Otherwise pair it, and import the file again."
        }
        diagnostics.missing.append(error, at: entry.described.accessory.location)
    }

    /// Sets the bridges of the accessories in the file.
    ///
    /// This is a separate step, because a bridge may come after its accessories in the file.
    func assignBridges(in home: inout Home, isComplete: Bool, _ diagnostics: inout MergeDiagnostics) {
        let names = ObjectNames(home.accessories)
        let indices = home.accessories.indicesByID
        let aliases = entries.filter { $0.id != nil }
            .keyed(by: { ServiceNameIndex.key(of: $0.described.accessory.value) }, \.id)
        let servers = home.accessories.keyed(by: \.reference, \.id)
        for entry in entries {
            guard let id = entry.id, let index = indices[id] else { continue }
            if let bridge = entry.described.bridge {
                let alias = aliases[ServiceNameIndex.key(of: bridge.value)] ?? nil
                guard let found = names[bridge.value] ?? alias ?? diagnostics.find(bridge, in: names)
                else {
                    continue
                }
                home.accessories[index].bridge = found
                continue
            }
            if isComplete, isMissing(home.accessories[index]) {
                // The bridge of a missing accessory is known only from the file, so it is removed if the file no longer
                // contains it.
                home.accessories[index].bridge = nil
            }
            // An accessory that was found behind a bridge of the home needs no `bridge` in the file.
            guard home.accessories[index].bridge == nil, entry.known?.bridge != nil,
                let server = home.accessories[index].reference?.server,
                let bridge = servers[AccessoryReference(server: server, aid: .primary)], bridge != id
            else { continue }
            home.accessories[index].bridge = bridge
        }
    }
}

extension HomeDescription.Accessory {
    /// Returns the name of the accessory in the file, or `nil` if it equals the name in the home.
    fileprivate func alias(besides name: ObjectName) -> String? {
        let text = accessory.value
        guard text.utf8.count <= HomeAccessory.maximumAliasLength, ServiceNameIndex.key(of: text) != name.key else {
            return nil
        }
        return text
    }
}
