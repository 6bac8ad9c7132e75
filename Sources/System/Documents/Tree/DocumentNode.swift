/// A node of a document, read from YAML or JSON.
package struct DocumentNode: Sendable {
    /// The content of a node.
    package enum Content: Sendable {
        /// A single value.
        case scalar(DocumentScalar)
        /// A list of values.
        case sequence([DocumentNode])
        /// Keys with their values; each key occurs only once.
        case mapping([DocumentMember])
    }

    /// The position of the node in the text.
    package var position: TextPosition
    /// The content of the node.
    package var content: Content

    package init(position: TextPosition, content: Content) {
        self.position = position
        self.content = content
    }

    /// The scalar, or `nil` for a list or a map.
    package var scalar: DocumentScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// The members of a map, or `nil` for a scalar or a list.
    package var mapping: [DocumentMember]? {
        if case .mapping(let members) = content { members } else { nil }
    }

    /// The elements of a list, or `nil` for a scalar or a map.
    package var elements: [DocumentNode]? {
        if case .sequence(let elements) = content { elements } else { nil }
    }

    /// A member of a map, or an element of a list.
    package struct Part: Sendable {
        /// The key; `nil` for an element.
        package let key: String?
        /// The position of the key, or of the element.
        package let position: TextPosition
        /// The value of the member, or the element.
        package let value: DocumentNode
    }

    /// The members of a map or the elements of a list; none for a scalar.
    package var parts: [Part] {
        switch content {
        case .scalar: []
        case .sequence(let elements): elements.map { Part(key: nil, position: $0.position, value: $0) }
        case .mapping(let members): members.map { Part(key: $0.key, position: $0.position, value: $0.value) }
        }
    }

    /// Returns the same node with all positions set to one position, for the content of an alias.
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

    /// A description of the node for messages.
    package var kind: String {
        switch content {
        case .scalar(let scalar): scalar.kind
        case .sequence: "a list"
        case .mapping: "a map"
        }
    }
}
