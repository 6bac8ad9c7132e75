/// A part of a definition's text, from YAML or from JSON.
struct DefinitionNode: Sendable {
    /// What it is made of.
    enum Content: Sendable {
        /// One value.
        case scalar(DefinitionScalar)
        /// Values in a row.
        case sequence([DefinitionNode])
        /// Values by name, each name once.
        case mapping([DefinitionMember])
    }

    /// Where it begins.
    var position: TextPosition
    /// What it is made of.
    var content: Content

    /// The value, `nil` for a sequence or a mapping.
    var scalar: DefinitionScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// The names with their values, `nil` for a value or a sequence.
    var mapping: [DefinitionMember]? {
        if case .mapping(let members) = content { members } else { nil }
    }

    /// Whether it is a list of nothing.
    var isEmptyList: Bool {
        if case .sequence(let elements) = content { elements.isEmpty } else { false }
    }

    /// The same, as if all of it stood at one place: where an alias is, of what it stands for.
    func moved(to position: TextPosition) -> DefinitionNode {
        var moved = self
        moved.position = position
        switch content {
        case .scalar: break
        case .sequence(let elements): moved.content = .sequence(elements.map { $0.moved(to: position) })
        case .mapping(let members):
            moved.content = .mapping(
                members.map { DefinitionMember(key: $0.key, position: position, value: $0.value.moved(to: position)) }
            )
        }
        return moved
    }

    /// What it is, for people.
    var kind: String {
        switch content {
        case .scalar(let scalar): scalar.kind
        case .sequence: "a list"
        case .mapping: "a map"
        }
    }
}
