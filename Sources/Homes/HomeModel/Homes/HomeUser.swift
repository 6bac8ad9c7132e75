/// A person with access to a home.
///
/// The properties of the access are also available as properties of the user.
@dynamicMemberLookup
public struct HomeUser: Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<HomeUser>
    /// The name, unique among the users.
    public var name: ObjectName
    /// The access rights.
    public var access: UserAccess
    /// Whether the user is home, or `nil` if that is unknown.
    public var isHome: Bool?

    /// A property of the access.
    public subscript<Value>(dynamicMember path: WritableKeyPath<UserAccess, Value>) -> Value {
        get { access[keyPath: path] }
        set { access[keyPath: path] = newValue }
    }
}

/// The access rights of a user.
public struct UserAccess: Sendable, Hashable {
    /// The role of the user.
    public var role: UserRole
    /// Whether the user may also access the home remotely.
    public var isRemote = false
}

/// The role of a user.
public enum UserRole: String, Sendable, Hashable, CaseIterable {
    /// The user may do everything and owns the home.
    case owner
    /// The user may do everything, except transfer the ownership.
    case administrator
    /// The user may control the home, but not edit it.
    case member
}

extension HomeUser: Codable {
    // Presence is stored separately from the home.
    private enum CodingKeys: String, CodingKey {
        case id, name, access
    }
}

extension UserAccess: Codable {
    private enum CodingKeys: String, CodingKey {
        case role
        case isRemote = "remote"
    }
}

extension UserRole: Codable {}
