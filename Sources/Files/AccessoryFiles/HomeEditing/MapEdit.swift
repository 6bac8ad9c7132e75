internal import Documents
internal import YAMLDocuments

/// An edit of a map of a file, or of a map that the file does not have yet.
struct MapEdit {
    /// The members in the file.
    let original: [DocumentMember]
    private(set) var isChanged = false
    private let map: DocumentNode?
    private var members: [EditedNode.Member]

    /// - Parameter map: The map in the file, or `nil` if there is none.
    init(_ map: DocumentNode?) {
        self.map = map
        original = map?.mapping ?? []
        members = original.enumerated()
            .map { EditedNode.Member($0.element.key, .unchanged($0.element.value), index: $0.offset) }
    }

    /// The map after the edit.
    ///
    /// A map without members is an empty map, so that the comments around it remain.
    var node: EditedNode {
        guard let map, !original.isEmpty, !members.isEmpty else {
            return .new(.map(members.map { .init($0.key, $0.value.tree(in: .yaml)) }))
        }
        return .map(members, of: map)
    }

    /// Whether the map has no members after the edit.
    var isEmpty: Bool { members.isEmpty }

    /// Returns whether a key has a new value.
    func isSet(_ key: String) -> Bool {
        members.contains { $0.key == key && !$0.value.isUnchanged }
    }

    /// Returns the value of a key in the file.
    func value(_ key: String) -> DocumentNode? {
        original.first { $0.key == key }?.value
    }

    /// Sets the value of a key, or removes the key if there is no value.
    ///
    /// - Parameter order: The keys in their usual order, which determines where a new key is inserted; an unknown key
    ///   comes last.
    mutating func set(_ key: String, _ value: EditedNode?, order: [String] = []) {
        let position = members.firstIndex { $0.key == key }
        switch (position, value) {
        case (let position?, let value?): members[position].value = value
        case (let position?, nil): members.remove(at: position)
        case (nil, let value?):
            let rank = order.firstIndex(of: key) ?? order.count
            let before = members.lastIndex { member in (order.firstIndex(of: member.key) ?? order.count) < rank }
            members.insert(
                .init(key, value),
                at: rank < order.count ? before.map { $0 + 1 } ?? members.count : members.count
            )
        case (nil, nil): return
        }
        isChanged = true
    }

    /// Sets the value of a section if it has changed.
    mutating func setSection(_ key: String, _ value: EditedNode?) {
        if let value { set(key, value) }
    }

    /// Adds a member at the end.
    mutating func append(_ key: String, _ value: DocumentTree) {
        members.append(.init(key, .new(value)))
        isChanged = true
    }

    /// Removes a member of the file.
    mutating func remove(at index: Int) {
        members.removeAll { $0.index == index }
        isChanged = true
    }

    /// Changes the key of a member of the file.
    mutating func rename(at index: Int, to key: String) {
        guard let position = members.firstIndex(where: { $0.index == index }) else { return }
        members[position].key = key
        isChanged = true
    }

    /// Sets the value of a member of the file.
    mutating func setValue(at index: Int, _ value: EditedNode) {
        guard let position = members.firstIndex(where: { $0.index == index }) else { return }
        members[position].value = value
        isChanged = true
    }
}

/// An edit of a list of a file, or of a list that the file does not have yet.
struct ListEdit {
    /// The elements in the file.
    let original: [DocumentNode]
    private let list: DocumentNode?
    private var elements: [EditedNode.Element]
    private var isChanged = false

    /// - Parameter list: The list in the file, or `nil` if there is none.
    init(_ list: DocumentNode?) {
        self.list = list
        if case .sequence(let nodes) = list?.content { original = nodes } else { original = [] }
        elements = original.enumerated().map { EditedNode.Element(.unchanged($0.element), index: $0.offset) }
    }

    /// The list after the edit, or `nil` if it does not change.
    var changed: EditedNode? {
        guard isChanged else { return nil }
        guard let list, !original.isEmpty, !elements.isEmpty else {
            return .new(.list(elements.map { $0.value.tree(in: .yaml) }))
        }
        return .list(elements, of: list)
    }

    /// Sets an element of the file.
    mutating func set(_ index: Int, _ value: EditedNode) {
        guard let position = elements.firstIndex(where: { $0.index == index }) else { return }
        elements[position].value = value
        isChanged = true
    }

    /// Removes an element of the file.
    mutating func remove(_ index: Int) {
        elements.removeAll { $0.index == index }
        isChanged = true
    }

    /// Adds an element at the end.
    mutating func append(_ value: DocumentTree) {
        elements.append(.init(.new(value)))
        isChanged = true
    }
}
