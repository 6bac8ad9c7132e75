/// A part of a definition with where it is.
struct DefinitionField: Sendable {
    /// The file, as it was named.
    let file: String
    /// Where it is in the structure.
    let path: DefinitionPath
    /// What stands there.
    let node: DefinitionNode

    /// The value of one of its names.
    func member(_ member: DefinitionMember) -> DefinitionField {
        DefinitionField(file: file, path: .key(member.key, in: path), node: member.value)
    }

    /// The value at a place in it, from 0.
    func element(_ node: DefinitionNode, at index: Int) -> DefinitionField {
        DefinitionField(file: file, path: .index(index, in: path), node: node)
    }
}
