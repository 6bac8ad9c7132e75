/// A name with its value.
struct DefinitionMember: Sendable {
    /// The name as written.
    var key: String
    /// Where the name begins.
    var position: TextPosition
    /// The value.
    var value: DefinitionNode
}
