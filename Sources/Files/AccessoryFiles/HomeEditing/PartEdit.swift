internal import Documents
internal import YAMLDocuments

/// The edit of a map or a list in a file.
///
/// The file may not contain it yet.
struct PartEdit {
    /// The members or elements in the file.
    let original: [DocumentNode.Part]
    private(set) var isChanged = false
    private let whole: DocumentNode?
    private let isList: Bool
    private var parts: [EditedNode.Part]

    /// - Parameters:
    ///   - whole: The map or the list in the file, or `nil` if there is none.
    ///   - isList: Whether it is a list; a node of another kind has no parts.
    init(_ whole: DocumentNode?, isList: Bool = false) {
        self.whole = whole
        self.isList = isList
        let isExpected = (whole?.elements != nil) == isList
        original = isExpected ? whole?.parts ?? [] : []
        parts = original.enumerated()
            .map { EditedNode.Part($0.element.key, .unchanged($0.element.value), index: $0.offset) }
    }

    /// The map or the list after the edit.
    ///
    /// An empty result is written as `{}` or `[]`, so that comments around it are preserved.
    var node: EditedNode {
        if let whole, !original.isEmpty, !parts.isEmpty { return .parts(parts, of: whole) }
        if isList { return .new(.list(parts.map { $0.value.tree(in: .yaml) })) }
        return .new(.map(parts.map { .init($0.key ?? "", $0.value.tree(in: .yaml)) }))
    }

    /// The map or the list after the edit, or `nil` if it does not change.
    var changed: EditedNode? { isChanged ? node : nil }

    /// Whether nothing is left after the edit.
    var isEmpty: Bool { parts.isEmpty }

    // MARK: Maps

    /// Returns whether a key has a new value.
    func isSet(_ key: String) -> Bool {
        parts.contains { $0.key == key && !$0.value.isUnchanged }
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
        let position = parts.firstIndex { $0.key == key }
        switch (position, value) {
        case (let position?, let value?): parts[position].value = value
        case (let position?, nil): parts.remove(at: position)
        case (nil, let value?):
            let rank = { (key: String?) in order.firstIndex { $0 == key } ?? order.count }
            let before = parts.lastIndex { rank($0.key) < rank(key) }
            let isKnown = rank(key) < order.count
            parts.insert(.init(key, value), at: isKnown ? before.map { $0 + 1 } ?? parts.count : parts.count)
        case (nil, nil): return
        }
        isChanged = true
    }

    /// Sets the value of a section if it has changed.
    mutating func setSection(_ key: String, _ value: EditedNode?) {
        if let value { set(key, value) }
    }

    /// Changes the key of a member of the file.
    mutating func rename(at index: Int, to key: String) {
        guard let position = parts.firstIndex(where: { $0.index == index }) else { return }
        parts[position].key = key
        isChanged = true
    }

    // MARK: Maps and lists

    /// Adds a part at the end.
    ///
    /// - Parameter key: The key of a member of a map.
    mutating func append(_ value: DocumentTree, key: String? = nil) {
        parts.append(.init(key, .new(value)))
        isChanged = true
    }

    /// Removes a part of the file.
    mutating func remove(at index: Int) {
        parts.removeAll { $0.index == index }
        isChanged = true
    }

    /// Sets the value of a part of the file.
    mutating func setValue(at index: Int, _ value: EditedNode) {
        guard let position = parts.firstIndex(where: { $0.index == index }) else { return }
        parts[position].value = value
        isChanged = true
    }
}
