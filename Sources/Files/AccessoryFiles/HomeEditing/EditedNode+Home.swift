internal import Documents
internal import YAMLDocuments

// The edits of entries of a home file: as little as possible of an entry is written again.
extension EditedNode {
    /// Returns a list in which only the elements that differ are replaced.
    static func list(_ original: DocumentNode, _ old: DocumentTree, _ new: DocumentTree) -> EditedNode {
        guard case .list(let before) = old, case .list(let after) = new,
            let nodes = original.elements, nodes.count == before.count, !nodes.isEmpty, !after.isEmpty
        else { return .new(new) }
        let shorter = min(before.count, after.count)
        let start = (0..<shorter).first { before[$0] != after[$0] } ?? shorter
        let end =
            (0..<(shorter - start)).first { before[before.count - 1 - $0] != after[after.count - 1 - $0] }
            ?? shorter - start
        let kept = { (index: Int) in EditedNode.Part(nil, .unchanged(nodes[index]), index: index) }
        let middle = (start..<(after.count - end))
            .map { index in
                EditedNode.Part(nil, .new(after[index]), index: index < before.count - end ? index : nil)
            }
        guard start > 0 || middle.first?.index != nil || middle.isEmpty else { return .new(new) }
        let elements = (0..<start).map(kept) + middle + ((before.count - end)..<before.count).map(kept)
        return .parts(elements, of: original)
    }

    /// Returns a scene after an edit.
    static func scene(_ original: DocumentNode, _ old: DocumentTree, _ new: DocumentTree) -> EditedNode {
        guard case .map(let before) = old, case .map(let after) = new, original.mapping != nil else {
            return list(original, old, new)
        }
        return map(original, before, after, order: ["kind", "actions"], lists: ["actions"])
    }

    /// Returns an automation after an edit, with `enabled` only if the file states it or the edit changes more than that.
    ///
    /// An edit disables an automation that would no longer do what it was made for, such as one without its condition.
    static func automation(_ original: DocumentNode, _ old: DocumentTree, _ new: DocumentTree) -> EditedNode {
        guard original.mapping != nil else { return .rewritten(new, from: old, replacing: original) }
        let key = "enabled"
        let enabled = [old, new].map { tree in tree.members.first { $0.key == key }?.value ?? .bool(true) }
        let members = [old, new].map { tree in tree.members.filter { $0.key != key } }
        let order = ["when", "if", "run", "end", "once"]
        var edit = PartEdit(original)
        let isStated = edit.value(key) != nil
        if members[0] == members[1], !isStated || enabled[0] == enabled[1] { return .unchanged(original) }
        let ends = members.map { members in members.first { $0.key == "end" }?.value }
        if case .map(let before) = ends[0], case .map(let after) = ends[1], before != after,
            let end = edit.value("end"), end.mapping != nil
        {
            edit.set("end", map(end, before, after, order: ["when", "after", "set", "restore"], lists: ["set"]))
        }
        edit.change(
            from: members[0],
            to: members[1],
            keys: order.filter { !edit.isSet($0) },
            order: order,
            lists: ["run"]
        )
        if enabled[0] != enabled[1] { edit.set(key, .new(enabled[1])) }
        return edit.node
    }

    /// Returns an entry that is written again; an automation has `enabled` only if the file states it or the edit changes
    /// it.
    static func rewritten(
        _ tree: DocumentTree,
        from old: DocumentTree?,
        replacing original: DocumentNode
    ) -> EditedNode {
        let isStated = original.mapping?.contains { $0.key == "enabled" } ?? false
        let enabled = { (tree: DocumentTree?) in tree?.members.first { $0.key == "enabled" }?.value }
        guard case .map(let members) = tree, let value = enabled(tree), !isStated,
            old == nil || enabled(old) == value
        else { return .new(tree) }
        return .new(.map(members.filter { $0.key != "enabled" }))
    }

    private static func map(
        _ original: DocumentNode,
        _ old: [DocumentTree.Member],
        _ new: [DocumentTree.Member],
        order: [String],
        lists: Set<String>
    ) -> EditedNode {
        var edit = PartEdit(original)
        edit.change(from: old, to: new, keys: order, lists: lists)
        return edit.node
    }
}

extension PartEdit {
    /// Sets and removes the keys whose values differ between two maps.
    ///
    /// - Parameters:
    ///   - keys: The keys that are compared.
    ///   - order: All keys in their usual order.
    ///   - lists: The keys of lists whose elements are compared.
    mutating func change(
        from old: [DocumentTree.Member],
        to new: [DocumentTree.Member],
        keys: [String],
        order: [String]? = nil,
        lists: Set<String> = []
    ) {
        let order = order ?? keys
        for key in keys {
            let before = old.first { $0.key == key }?.value
            let after = new.first { $0.key == key }?.value
            guard before != after else { continue }
            if lists.contains(key), let before, let after, let original = value(key) {
                set(key, .list(original, before, after))
            } else {
                set(key, after.map(EditedNode.new), order: order)
            }
        }
    }
}
