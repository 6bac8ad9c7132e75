/// A person with access to a home.
public struct HomeUser: Sendable, Hashable {
    /// What tells them from everything else in the home.
    public let id: ObjectID<HomeUser>
    /// What they are called; unique among the users.
    public var name: ObjectName
    /// What they may do.
    public var role: UserRole
    /// Whether they may do it from elsewhere, too.
    public var isRemote: Bool
    /// Whether they are at home; `nil` when nobody knows.
    public var isHome: Bool?

    /// Creates a user.
    public init(
        id: ObjectID<HomeUser>,
        name: ObjectName,
        role: UserRole,
        isRemote: Bool = false,
        isHome: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.isRemote = isRemote
        self.isHome = isHome
    }
}
