/// A person with access to a home.
///
/// The properties of the access are also those of the user.
@dynamicMemberLookup
public struct HomeUser: NamedObject, Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<HomeUser>
    /// The name, unique among the users.
    public var name: ObjectName
    /// What the person may do.
    public var access: UserAccess
    /// Whether the person is at home; `nil` when that is unknown.
    public var isHome: Bool?

    /// A property of the access.
    public subscript<Value>(dynamicMember path: WritableKeyPath<UserAccess, Value>) -> Value {
        get { access[keyPath: path] }
        set { access[keyPath: path] = newValue }
    }
}

/// What a person may do in a home.
public struct UserAccess: Sendable, Hashable {
    /// What the person may do.
    public var role: UserRole
    /// Whether the person may do it from elsewhere, too.
    public var isRemote = false
}

/// What a person may do in a home.
public enum UserRole: String, Sendable, Hashable, CaseIterable {
    /// Everything; the person whose home it is.
    case owner
    /// Everything but giving the home away.
    case administrator
    /// Use what is there.
    case member
}

extension HomeUser: Codable {
    // Presence is stored beside the home.
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
