/// A part of a definition's text, from YAML or from JSON.
package struct DocumentNode: Sendable {
    /// The content of a node.
    package enum Content: Sendable {
        /// One value.
        case scalar(DocumentScalar)
        /// Values in a row.
        case sequence([DocumentNode])
        /// Values by name, each name once.
        case mapping([DocumentMember])
    }

    /// The position.
    package var position: TextPosition
    /// The content.
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

    /// Returns the same node with all positions at one place, for the content of an alias.
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

    /// A description for messages.
    package var kind: String {
        switch content {
        case .scalar(let scalar): scalar.kind
        case .sequence: "a list"
        case .mapping: "a map"
        }
    }
}
