internal import Documents
internal import HomeModel
internal import YAMLDocuments

/// The edit of a home, as an edit of the file that contains it.
///
/// Both homes are exported as trees. What differs between them is changed in the file, and nothing else, because a file
/// may state less than an export, or state it in another form.
struct HomeFileEdit {
    /// The home as the file describes it.
    let described: HomeDescription
    let old: Home
    let new: Home
    /// Objects that are written again as a whole.
    var rewritten: Set<Entry> = []
    private let oldTree: [String: DocumentTree]
    private let newTree: [String: DocumentTree]
    private let matches: [AccessoryMatch?]

    init(_ described: HomeDescription, from old: Home, to new: Home) {
        self.described = described
        self.old = old
        self.new = new
        oldTree = Self.sections(of: old)
        newTree = Self.sections(of: new)
        matches = described.accessoryMatches(in: old)
    }

    /// Returns the root of the file after the edit, or `nil` if nothing changes.
    ///
    /// - Parameter index: The index of the home in the file.
    func edited(_ root: DocumentNode, _ index: Int) -> EditedNode? {
        guard root.mapping != nil else { return nil }
        var edit = PartEdit(root)
        guard let list = edit.value("homes") else { return edited(home: root) }
        var homes = PartEdit(list, isList: true)
        guard homes.original.indices.contains(index), let home = edited(home: homes.original[index].value) else {
            return nil
        }
        homes.setValue(at: index, home)
        edit.set("homes", homes.node)
        return edit.node
    }

    private static func sections(of home: Home) -> [String: DocumentTree] {
        let tree = Format.homeFile.write(HomeDocument(Homes(homes: [home], primary: home.id)))
        return Dictionary(tree.members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// The keys of a home before its sections.
    private static let heading = ["home", "primary", "place", "timeZone"]

    private func edited(home: DocumentNode) -> EditedNode? {
        var edit = PartEdit(home)
        for key in ["home", "place", "timeZone"] where oldTree[key] != newTree[key] {
            edit.set(key, newTree[key].map(EditedNode.new), order: Self.heading)
        }
        edit.setSection("rooms", rooms(in: edit.value("rooms")))
        for section in sections {
            edit.setSection(section.key, self.section(section, in: edit.value(section.key)))
            if section.key == "zones" {
                edit.setSection("accessories", accessories(in: edit.value("accessories")))
            }
        }
        return edit.changed
    }

    // MARK: Rooms

    private func rooms(in list: DocumentNode?) -> EditedNode? {
        let names = described.rooms.map(\.value.key)
        var edit = PartEdit(list, isList: true)
        for (before, after) in pairs(old.rooms, new.rooms, \.id.rawValue, \.name) {
            let index = before.flatMap { before in names.firstIndex(of: before.name.key) }
            switch (index, after) {
            case (let index?, let after?):
                if before?.name != after.name { edit.setValue(at: index, .new(.text(after.name.text))) }
            case (let index?, nil): edit.remove(at: index)
            case (nil, let after?):
                if before?.name != after.name, !names.contains(after.name.key) {
                    edit.append(.text(after.name.text))
                }
            case (nil, nil): break
            }
        }
        return edit.changed
    }

    // MARK: Sections by name

    /// A section that lists objects by their names.
    private struct Section {
        let key: String
        let old: [Named]
        let new: [Named]
        /// Returns an entry of the file after an edit.
        let edit: (_ original: DocumentNode, _ old: DocumentTree, _ new: DocumentTree) -> EditedNode

        struct Named {
            let id: UInt64
            let name: ObjectName
        }
    }

    private var sections: [Section] {
        func section<Thing>(
            _ key: String,
            _ path: KeyPath<Home, [Thing]>,
            _ id: KeyPath<Thing, UInt64>,
            _ name: KeyPath<Thing, ObjectName>,
            _ edit: @escaping (DocumentNode, DocumentTree, DocumentTree) -> EditedNode
        ) -> Section {
            func named(_ home: Home) -> [Section.Named] {
                home[keyPath: path].map { Section.Named(id: $0[keyPath: id], name: $0[keyPath: name]) }
            }
            return Section(key: key, old: named(old), new: named(new), edit: edit)
        }
        return [
            section("zones", \.zones, \.id.rawValue, \.name, EditedNode.list),
            section("groups", \.serviceGroups, \.id.rawValue, \.name, EditedNode.list),
            section("scenes", \.scenes, \.id.rawValue, \.name, EditedNode.scene),
            section("automations", \.automations, \.id.rawValue, \.name, EditedNode.automation),
            section("users", \.users, \.id.rawValue, \.name) { .new($2) },
        ]
    }

    private func section(_ section: Section, in map: DocumentNode?) -> EditedNode? {
        let old = Dictionary(oldTree[section.key]?.members.map { ($0.key, $0.value) } ?? []) { first, _ in first }
        let new = Dictionary(newTree[section.key]?.members.map { ($0.key, $0.value) } ?? []) { first, _ in first }
        var edit = PartEdit(map)
        let names = (map?.mapping ?? []).map { ObjectName.key(of: $0.key) }
        var indices = Dictionary(names.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        let pairs = pairs(section.old, section.new, \.id, \.name)
        let positions = pairs.map { pair in (pair.old?.name.key).flatMap { indices.removeValue(forKey: $0) } }
        for ((before, after), position) in zip(pairs, positions) {
            guard let after else {
                if let position { edit.remove(at: position) }
                continue
            }
            guard let newTree = new[after.name.text] else { continue }
            let oldTree = before.flatMap { old[$0.name.text] }
            // An object that was not in the home may be in the file, if it was left out of the merge.
            let position = position ?? (before?.name == after.name ? nil : indices.removeValue(forKey: after.name.key))
            let isRewritten = rewritten.contains(Entry(section.key, after.name))
            guard let position else {
                if oldTree != newTree || before?.name != after.name { edit.append(newTree, key: after.name.text) }
                continue
            }
            if before?.name != after.name { edit.rename(at: position, to: after.name.text) }
            if isRewritten || oldTree == nil {
                edit.setValue(
                    at: position,
                    .rewritten(newTree, from: oldTree, replacing: edit.original[position].value)
                )
            } else if let oldTree, oldTree != newTree {
                edit.setValue(at: position, section.edit(edit.original[position].value, oldTree, newTree))
            }
        }
        return edit.changed
    }

    // MARK: Accessories

    private func accessories(in list: DocumentNode?) -> EditedNode? {
        let old = trees(of: self.old, oldTree)
        let new = trees(of: self.new, newTree)
        var indices: [ObjectID<HomeAccessory>: Int] = [:]
        for (index, match) in matches.enumerated() {
            if let match { indices[match.id] = index }
        }
        var edit = PartEdit(list, isList: true)
        for (before, after) in pairs(self.old.accessories, self.new.accessories, \.id.rawValue, \.name) {
            let index = (before?.id).flatMap { indices[$0] }
            guard let after else {
                if let index { edit.remove(at: index) }
                continue
            }
            guard let newTree = new[after.id] else { continue }
            let oldTree = before.flatMap { old[$0.id] }
            guard oldTree != newTree else { continue }
            guard let index, let before, let oldTree, edit.original.indices.contains(index), let match = matches[index]
            else {
                edit.append(newTree)
                continue
            }
            let entry = AccessoryEntryEdit(match: match, old: before, new: after, oldTree: oldTree, newTree: newTree)
            if let edited = entry.edited(edit.original[index].value) { edit.setValue(at: index, edited) }
        }
        return edit.changed
    }

    private func trees(of home: Home, _ sections: [String: DocumentTree]) -> [ObjectID<HomeAccessory>: DocumentTree] {
        guard case .list(let trees) = sections["accessories"] else { return [:] }
        return Dictionary(zip(home.accessories.map(\.id), trees)) { first, _ in first }
    }
}

/// Returns the objects before and after an edit that are the same: by id, or else by name.
private func pairs<Thing>(
    _ old: [Thing],
    _ new: [Thing],
    _ id: (Thing) -> UInt64,
    _ name: (Thing) -> ObjectName
) -> [(old: Thing?, new: Thing?)] {
    let newIDs = Set(new.map(id))
    let oldByID = Dictionary(old.map { (id($0), $0) }) { first, _ in first }
    var removed = Dictionary(old.filter { !newIDs.contains(id($0)) }.map { (name($0).key, $0) }) { first, _ in first }
    var gone = Set(removed.values.map(id))
    let found = new.map { thing -> (old: Thing?, new: Thing?) in
        let before = oldByID[id(thing)] ?? removed.removeValue(forKey: name(thing).key)
        if let before { gone.remove(id(before)) }
        return (before, thing)
    }
    return old.filter { gone.contains(id($0)) }.map { ($0, nil) } + found
}
