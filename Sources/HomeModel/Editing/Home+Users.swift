extension Home {
    /// Adds a user; the first one is the owner, and nobody else.
    ///
    /// - Throws: ``HomeError``: a name that another user has, no owner or a second one, or too many.
    public mutating func addUser(
        named name: ObjectName,
        role: UserRole,
        isRemote: Bool = false
    ) throws(HomeError) -> ObjectID<HomeUser> {
        try checkIsUnused(name, in: users, "another user", except: nil)
        try checkCount(users.count + 1, "users", limit: HomeLimits.users)
        let user = HomeUser(id: ObjectID(nextID), name: name, access: UserAccess(role: role, isRemote: isRemote))
        try checkOwner(of: users + [user])
        _ = try nextNumber()
        users.append(user)
        return user.id
    }

    /// Gives a user another name.
    ///
    /// - Throws: ``HomeError``: no such user, or a name that is taken.
    public mutating func renameUser(_ id: ObjectID<HomeUser>, to name: ObjectName) throws(HomeError) {
        let index = try index(of: id, in: users, "user")
        try checkIsUnused(name, in: users, "another user", except: id)
        users[index].name = name
    }

    /// Says what a user may do.
    ///
    /// With a new owner the one before becomes an administrator.
    ///
    /// - Throws: ``HomeError``: no such user, or the owner would be none any more.
    @discardableResult
    public mutating func setRole(_ role: UserRole, of id: ObjectID<HomeUser>) throws(HomeError) -> [EditEffect] {
        let index = try index(of: id, in: users, "user")
        var changed = users
        var consequences: [EditEffect] = []
        if role == .owner, let owner = users.firstIndex(where: { $0.role == .owner && $0.id != id }) {
            changed[owner].role = .administrator
            consequences.append(.ownerChanged(from: users[owner].name, to: users[index].name))
        }
        changed[index].role = role
        try checkOwner(of: changed)
        users = changed
        return consequences
    }

    /// Says whether a user may do it from elsewhere.
    ///
    /// - Throws: ``HomeError``: no such user.
    public mutating func setRemote(_ isRemote: Bool, of id: ObjectID<HomeUser>) throws(HomeError) {
        users[try index(of: id, in: users, "user")].isRemote = isRemote
    }

    /// Says whether a user is at home; `nil` when nobody knows.
    ///
    /// - Throws: ``HomeError``: no such user.
    public mutating func setPresence(_ isHome: Bool?, of id: ObjectID<HomeUser>) throws(HomeError) {
        users[try index(of: id, in: users, "user")].isHome = isHome
    }

    /// Removes a user; the owner last.
    ///
    /// - Throws: ``HomeError``: no such user, or the owner of a home with others.
    @discardableResult
    public mutating func removeUser(_ id: ObjectID<HomeUser>) throws(HomeError) -> [EditEffect] {
        let index = try index(of: id, in: users, "user")
        var changed = users
        changed.remove(at: index)
        try checkOwner(of: changed)
        users = changed
        return removeReferences(to: RemovedObjects(users: [id]), names: [:])
    }

    private func checkOwner(of users: [HomeUser]) throws(HomeError) {
        switch users.count(where: { $0.role == .owner }) {
        case 1: break
        case 0 where users.isEmpty: break
        case 0: throw .ownerMissing("A home with users has an owner.", at: name.text)
        default: throw .ownerMissing("A home has one owner.", at: name.text)
        }
    }
}
