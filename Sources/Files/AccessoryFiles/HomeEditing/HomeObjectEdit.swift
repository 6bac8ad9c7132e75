package import Documents
package import HomeModel
internal import YAMLDocuments

/// The result of editing one object of a home, or a whole home, in the notation of home files.
///
/// The content of an object is what a home file has under its name, such as `{ when: { time: 07:00 }, run: [Reading] }`
/// for an automation. If there is an error, nothing is changed.
package struct HomeObjectEdit: Sendable {
    /// How the given content is applied.
    package enum Operation: Sendable {
        /// Adds the object.
        case add
        /// Replaces the keys that the content has, and removes those that are `null` in it.
        case change
        /// Replaces everything.
        case replace
    }

    /// The homes after the edit.
    package let homes: Homes
    /// What is different from the homes before.
    package let changes: [HomeChange]
    /// Warnings about omitted parts of the content, which need an accessory that was not found.
    package let warnings: [Diagnostic]
    private let leftOut: [Located<HomeError>]

    /// Edits an object of a home.
    ///
    /// - Parameters:
    ///   - homes: The homes before.
    ///   - home: The home that is edited; one of the homes.
    ///   - name: The name of the object: that of a new one, or of one that the home has.
    ///   - content: The content, in YAML or JSON, or `nil` for that of a new object. A new object has what the content
    ///     leaves out, such as the role of a user.
    ///   - file: The name of the content, for messages.
    /// - Throws: ``DocumentError`` with all errors of the content.
    package init(
        _ operation: Operation,
        _ kind: HomeObjectKind,
        named name: ObjectName,
        in home: Home,
        of homes: Homes,
        content: [UInt8]?,
        file: String
    ) throws(DocumentError) {
        let defaults = Array(Self.defaultContent(of: kind, in: home).utf8)
        let content = try Self.node(content ?? defaults, in: file)
        let start = content.position
        guard kind != .accessory || !(content.mapping ?? []).contains(where: { $0.key == "definition" }) else {
            throw DocumentError(in: file, "a definition belongs to the file and not to the home; edit the home file")
        }
        if operation == .add, kind == .room, content.mapping?.isEmpty != true {
            throw DocumentError(in: file, "a room has only a name; leave out the content")
        }
        if operation == .add, kind == .accessory, content.mapping?.contains(where: { $0.key == "accessory" }) ?? true {
            throw DocumentError(
                in: file,
                "the content of an accessory is a map without its name; write it as { room: Hall }"
            )
        }
        let place = try ObjectPlace(of: name, kind, in: home)
        let tree = Format.homeFile.write(HomeDocument(Homes(homes: [home], primary: home.id)))
        let bytes = TextDocument.write(tree.members, as: .yaml, schema: nil)
        // Errors in unchanged parts are reported at the start of the content, which has no position for them.
        let root = try Self.node(bytes, in: file).moved(to: start)
        if operation == .add, let taken = try? home.name(of: kind, named: name.text), taken.key == name.key {
            throw DocumentError(in: file, "the home already has the \(kind.rawValue) \(taken); choose another name")
        }
        let added = try Self.node(defaults, in: file)
        var edited: DocumentNode?
        if operation == .add, kind == .room || kind == .accessory {
            let named = DocumentNode(position: start, content: .scalar(DocumentScalar(quoted: name.text)))
            let key = DocumentMember(key: "accessory", position: start, value: named)
            let element =
                kind == .room
                ? named : content.changing(DocumentNode(position: start, content: .mapping([key])), shorthand: nil)
            edited = root.replacing(.key(kind.plural, in: .root)) { list in
                DocumentNode(position: start, content: .sequence((list?.elements ?? []) + [element]))
            }
        } else {
            edited = root.replacing(place.path) { old in
                let base = operation == .add ? added : operation == .change ? old : nil
                return base.map { content.changing($0, shorthand: place.shorthand) } ?? content
            }
        }
        let document = try Self.document(edited ?? root, in: file)
        try self.init(document, replacing: home, of: homes, file: file)
        guard leftOut.isEmpty else { throw DocumentError(leftOut.map { Diagnostic($0, .error, in: file) }) }
    }

    /// Adds a home.
    ///
    /// - Parameters:
    ///   - name: The name of the home.
    ///   - homes: The homes before.
    ///   - content: What a home file has besides the name, in YAML or JSON; it may be empty.
    ///   - file: The name of the content, for messages.
    /// - Throws: ``DocumentError`` with all errors of the content.
    package init(
        addingHome name: ObjectName,
        to homes: Homes,
        content: [UInt8],
        file: String
    ) throws(DocumentError) {
        guard !homes.homes.contains(where: { $0.name.key == name.key }) else {
            throw DocumentError(in: file, path: "home", "there is already a home \(name); choose another name")
        }
        var root = try Self.node(content.isEmpty ? Array("{}".utf8) : content, in: file)
        guard let members = root.mapping, !members.contains(where: { $0.key == "home" || $0.key == "homes" }) else {
            throw DocumentError(
                in: file,
                "the content of a home is a map without its name; write it as { rooms: [Hall] }"
            )
        }
        let value = DocumentNode(position: root.position, content: .scalar(DocumentScalar(quoted: name.text)))
        root = root.replacing(.key("home", in: .root)) { _ in value } ?? root
        let document = try Self.document(root, in: file)
        try self.init(HomeMerge(document, into: homes, known: []), file: file)
    }

    /// The content of a new object.
    private static func defaultContent(of kind: HomeObjectKind, in home: Home) -> String {
        switch kind {
        case .zone, .group, .scene: "[]"
        case .user: (home.users.isEmpty ? UserRole.owner : .member).rawValue
        case .home, .room, .automation, .accessory, .service: "{}"
        }
    }

    private static func document(_ root: DocumentNode, in file: String) throws(DocumentError) -> HomeDocument {
        var reader = DocumentReader()
        let document = Format.homeFile.read(DocumentField(file: file, node: root), &reader)
        return try reader.result(document)
    }

    private init(_ merge: HomeMerge, file: String) throws(DocumentError) {
        guard merge.errors.isEmpty else { throw DocumentError(HomeFile.diagnostics(of: merge, in: file)) }
        homes = merge.homes
        changes = merge.changes
        leftOut = merge.pending
        warnings = HomeFile.pendingParts(of: merge, in: file)
    }

    /// Replaces a home by the home with the same name in a file; other homes of the file are ignored.
    ///
    /// - Parameter keepsEnabled: Whether the file does not say which automations are enabled.
    /// - Throws: ``DocumentError`` with all errors of the file.
    package init(
        _ document: HomeDocument,
        replacing home: Home,
        of homes: Homes,
        keepsEnabled: Bool = false,
        file: String
    ) throws(DocumentError) {
        var document = document
        document.homes.removeAll { $0.name.value.key != home.name.key }
        guard document.homes.count == 1 else {
            throw DocumentError(
                in: file,
                path: "home",
                "the home is called \(home.name), and an edit keeps this name; rename the home instead"
            )
        }
        for index in document.homes[0].automations.indices where keepsEnabled {
            let name = document.homes[0].automations[index].name.value
            guard let stored = try? home.automation(named: name.text) else { continue }
            document.homes[0].automations[index].content.isEnabled = stored.isEnabled
        }
        try self.init(HomeMerge(document, into: homes, known: [], extent: .complete), file: file)
    }

    /// Returns the content of an object, or of the whole home, as YAML.
    ///
    /// - Parameter name: The name of an object that the home has.
    /// - Throws: ``DocumentError`` if the home has no such object.
    package static func content(
        of kind: HomeObjectKind,
        named name: ObjectName,
        in home: Home
    ) throws(DocumentError) -> [UInt8] {
        let place = try ObjectPlace(of: name, kind, in: home)
        let tree = Format.homeFile.write(HomeDocument(Homes(homes: [home], primary: home.id)))
        return TextDocument.write(tree.value(at: place.path) ?? .map([]))
    }

    private static func node(_ bytes: [UInt8], in file: String) throws(DocumentError) -> DocumentNode {
        var reader = DocumentReader()
        let isBlank = bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let read = isBlank ? nil : TextDocument.read(bytes, in: file, firstKey: "key", &reader.diagnostics)
        guard !isBlank, read?.root.node.scalar?.meaning != .null else {
            throw DocumentError(in: file, "the content is empty; write what a home file has under the name")
        }
        return try reader.result(read).root.node
    }
}

/// The place of an object in a home file.
private struct ObjectPlace {
    let path: DocumentPath
    /// The key that a short form stands for: a scene written as a list means `actions`.
    var shorthand: String?

    init(of name: ObjectName, _ kind: HomeObjectKind, in home: Home) throws(DocumentError) {
        func entry(of section: String) -> DocumentPath { .key(name.text, in: .key(section, in: .root)) }
        let accessories = DocumentPath.key("accessories", in: .root)
        switch kind {
        case .home: path = .root
        case .room:
            let index = home.rooms.firstIndex { $0.name == name }
            path = .index(index ?? home.rooms.count, in: .key("rooms", in: .root))
        case .zone: path = entry(of: "zones")
        case .group: path = entry(of: "groups")
        case .scene:
            path = entry(of: "scenes")
            shorthand = "actions"
        case .automation: path = entry(of: "automations")
        case .user:
            path = entry(of: "users")
            shorthand = "role"
        case .accessory:
            let index = home.accessories.firstIndex { $0.name == name }
            path = .index(index ?? 0, in: accessories)
        case .service:
            let accessory = home.accessories.firstIndex { $0.services.contains { $0.name == name && $0.isVisible } }
            guard let accessory,
                let service = home.accessories[accessory].services
                    .firstIndex(where: { $0.name == name && $0.isVisible })
            else { throw DocumentError(in: "", "there is no service \(name)") }
            let label = home.accessories[accessory].serviceLabels[service]
            path = .key(label, in: .key("services", in: .index(accessory, in: accessories)))
            shorthand = "name"
        }
    }
}

extension DocumentNode {
    fileprivate func value(at path: DocumentPath) -> DocumentNode? {
        switch path {
        case .root: return self
        case .key(let key, let path): return value(at: path)?.mapping?.first { $0.key == key }?.value
        case .index(let index, let path):
            guard let elements = value(at: path)?.elements, elements.indices.contains(index) else { return nil }
            return elements[index]
        }
    }

    /// Returns the node with a replaced value at a path.
    ///
    /// Missing maps on the path are created.
    fileprivate func replacing(
        _ path: DocumentPath,
        by change: (DocumentNode?) -> DocumentNode?
    ) -> DocumentNode? {
        switch path {
        case .root: change(self)
        case .key(let key, let path):
            replacing(path) { parent in
                (parent ?? DocumentNode(position: position, content: .mapping([]))).replacingMember(key, by: change)
            }
        case .index(let index, let path):
            replacing(path) { parent in parent?.replacingElement(at: index, by: change) }
        }
    }

    private func replacingMember(_ key: String, by change: (DocumentNode?) -> DocumentNode?) -> DocumentNode? {
        var members = mapping ?? []
        let index = members.firstIndex { $0.key == key }
        guard let value = change(index.map { members[$0].value }) else { return nil }
        if let index {
            members[index].value = value
        } else {
            members.append(DocumentMember(key: key, position: position, value: value))
        }
        return DocumentNode(position: position, content: .mapping(members))
    }

    private func replacingElement(at index: Int, by change: (DocumentNode?) -> DocumentNode?) -> DocumentNode? {
        guard var elements, elements.indices.contains(index), let element = change(elements[index]) else { return nil }
        elements[index] = element
        return DocumentNode(position: position, content: .sequence(elements))
    }

    /// Returns `old` with the keys of this map replaced, and those with `null` removed.
    ///
    /// - Parameter shorthand: The key that a shorter form of the content stands for.
    fileprivate func changing(_ old: DocumentNode, shorthand: String?) -> DocumentNode {
        func long(_ short: DocumentNode) -> [DocumentMember]? {
            shorthand.map { [DocumentMember(key: $0, position: short.position, value: short)] }
        }
        // If both are short, there are no keys to compare.
        guard mapping != nil || old.mapping != nil, let changes = mapping ?? long(self),
            var members = old.mapping ?? long(old)
        else { return self }
        for change in changes {
            let isRemoved = change.value.scalar?.meaning == .null
            guard let index = members.firstIndex(where: { $0.key == change.key }) else {
                if !isRemoved { members.append(change) }
                continue
            }
            if isRemoved { members.remove(at: index) } else { members[index] = change }
        }
        return DocumentNode(position: position, content: .mapping(members))
    }
}

extension DocumentTree {
    fileprivate func value(at path: DocumentPath) -> DocumentTree? {
        switch path {
        case .root: return self
        case .key(let key, let path): return value(at: path)?.members.first { $0.key == key }?.value
        case .index(let index, let path):
            guard case .list(let elements) = value(at: path), elements.indices.contains(index) else { return nil }
            return elements[index]
        }
    }
}
