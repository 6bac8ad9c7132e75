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

    /// What it is, for people.
    var kind: String {
        switch content {
        case .scalar(let scalar): scalar.kind
        case .sequence: "a list"
        case .mapping: "a map"
        }
    }
}
