/// What a file says of a user.
package struct DocumentedUser: Sendable, Hashable {
    /// What they are called.
    package var name: Placed<ObjectName>
    /// What they may do.
    package var role: UserRole
    /// Whether they may do it from elsewhere.
    package var isRemote: Bool

    package init(name: Placed<ObjectName>, role: UserRole, isRemote: Bool = false) {
        self.name = name
        self.role = role
        self.isRemote = isRemote
    }
}
