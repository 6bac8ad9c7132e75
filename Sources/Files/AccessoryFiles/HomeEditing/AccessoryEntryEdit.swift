internal import Documents
internal import HomeModel
internal import YAMLDocuments

/// The edit of an accessory, as an edit of its entry in a home file.
struct AccessoryEntryEdit {
    let match: AccessoryMatch
    let old: HomeAccessory
    let new: HomeAccessory
    /// The accessory before the edit, as in an export.
    let oldTree: DocumentTree
    /// The accessory after the edit, as in an export.
    let newTree: DocumentTree

    private static let keys = [
        "accessory", "name", "room", "bridge", "deviceID", "aid", "category", "definition", "services",
    ]

    /// Returns the entry after the edit, or `nil` if nothing changes.
    func edited(_ entry: DocumentNode) -> EditedNode? {
        var edit = PartEdit(entry)
        // The key `accessory` is the name in the definition or of the pairing, which a new name does not change.
        if old.alias != new.alias, let alias = new.alias {
            edit.set("accessory", .new(.text(alias)), order: Self.keys)
        }
        if old.name != new.name {
            edit.set("name", .new(.text(new.name.text)), order: Self.keys)
        }
        edit.change(
            from: oldTree.members,
            to: newTree.members,
            keys: ["room", "bridge", "deviceID", "aid", "category"],
            order: Self.keys
        )
        var services = PartEdit(edit.value("services"))
        self.edit(&services)
        if services.isChanged {
            edit.set("services", services.isEmpty ? nil : services.node, order: Self.keys)
        }
        guard edit.isChanged else { return nil }
        guard entry.mapping == nil else { return edit.node }
        // An entry that is only a name becomes a map.
        let name = DocumentTree.Member("accessory", DocumentTree(entry, in: .yaml))
        let members = edit.node.tree(in: .yaml).members.filter { $0.key != "accessory" }
        return .new(.map([name] + members))
    }

    // MARK: Services

    private func edit(_ services: inout PartEdit) {
        var positions: [ObjectID<HomeService>: Int] = [:]
        for (position, service) in match.services.enumerated() where services.original.indices.contains(position) {
            if let service { positions[service.id] = position }
        }
        let before = ServiceEntry.all(of: old, oldTree)
        let after = ServiceEntry.all(of: new, newTree)
        let ids = Set(after.map(\.id))
        for service in before where !ids.contains(service.id) {
            if let position = positions[service.id] { services.remove(at: position) }
        }
        for service in after {
            let previous = before.first { $0.id == service.id }
            guard let position = positions[service.id] else {
                let changes = service.members.filter { member in !(previous?.members.contains(member) ?? false) }
                if !changes.isEmpty { services.append(ServiceEntry.tree(changes), key: service.label) }
                continue
            }
            guard let previous else { continue }
            edit(&services, at: position, from: previous, to: service)
        }
    }

    private func edit(
        _ services: inout PartEdit,
        at position: Int,
        from old: ServiceEntry,
        to new: ServiceEntry
    ) {
        let isByType = match.services[position]?.isByType ?? false
        let name = { (entry: ServiceEntry) in entry.members.first { $0.key == "name" } }
        // A key that is a name refers to the service only as long as it has that name.
        if isByType ? old.label != new.label : name(old) != name(new) {
            services.rename(at: position, to: new.label)
        }
        guard old.members != new.members else { return }
        let original = services.original[position].value
        var edit = PartEdit(original)
        edit.change(from: old.members, to: new.members, keys: ["name", "room", "as"], order: ServiceEntry.keys)
        if original.mapping != nil {
            edit.isEmpty ? services.remove(at: position) : services.setValue(at: position, edit.node)
            return
        }
        // The value in the file is only the name.
        let written = name(new) ?? DocumentTree.Member("name", DocumentTree(original, in: .yaml))
        let others = new.members.filter { $0.key != "name" }
        services.setValue(at: position, .new(ServiceEntry.tree([written] + others)))
    }
}

/// A service of an accessory, as in an export.
private struct ServiceEntry {
    static let keys = ["type", "name", "room", "as"]

    let id: ObjectID<HomeService>
    let label: String
    /// The keys and values; empty if an export does not contain the service.
    let members: [DocumentTree.Member]

    static func all(of accessory: HomeAccessory, _ tree: DocumentTree) -> [ServiceEntry] {
        let services = tree.members.first { $0.key == "services" }?.value.members ?? []
        let byLabel = Dictionary(services.map { ($0.key, $0.value) }) { first, _ in first }
        return zip(accessory.services, accessory.serviceLabels)
            .map { service, label in
                let members: [DocumentTree.Member] =
                    switch byLabel[label] {
                    case .text(let name): [.init("name", .text(name))]
                    case .some(let tree): tree.members
                    case nil: []
                    }
                return ServiceEntry(id: service.id, label: label, members: members)
            }
    }

    /// Returns the value of a service with some keys; a name alone is written without its key.
    static func tree(_ members: [DocumentTree.Member]) -> DocumentTree {
        members.count == 1 && members[0].key == "name" ? members[0].value : .inlineMap(members)
    }
}
