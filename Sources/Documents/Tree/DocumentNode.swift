/// A part of a definition's text, from YAML or from JSON.
package struct DocumentNode: Sendable {
    /// What it is made of.
    package enum Content: Sendable {
        /// One value.
        case scalar(DocumentScalar)
        /// Values in a row.
        case sequence([DocumentNode])
        /// Values by name, each name once.
        case mapping([DocumentMember])
    }

    /// Where it begins.
    package var position: TextPosition
    /// What it is made of.
    package var content: Content

    package init(position: TextPosition, content: Content) {
        self.position = position
        self.content = content
    }

    /// The value, `nil` for a sequence or a mapping.
    package var scalar: DocumentScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// The names with their values, `nil` for a value or a sequence.
    package var mapping: [DocumentMember]? {
        if case .mapping(let members) = content { members } else { nil }
    }

    /// Whether it is a list of nothing.
    package var isList: Bool {
        if case .sequence = content { true } else { false }
    }

    /// Whether it is a list without elements.
    package var isEmptyList: Bool {
        if case .sequence(let elements) = content { elements.isEmpty } else { false }
    }

    /// The same, as if all of it stood at one place: where an alias is, of what it stands for.
    package func moved(to position: TextPosition) -> DocumentNode {
        var moved = self
        moved.position = position
        switch content {
        case .scalar: break
        case .sequence(let elements): moved.content = .sequence(elements.map { $0.moved(to: position) })
        case .mapping(let members):
            moved.content = .mapping(
                members.map { DocumentMember(key: $0.key, position: position, value: $0.value.moved(to: position)) }
            )
        }
        return moved
    }

    /// What it is, for people.
    package var kind: String {
        switch content {
        case .scalar(let scalar): scalar.kind
        case .sequence: "a list"
        case .mapping: "a map"
        }
    }
}
