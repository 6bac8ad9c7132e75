extension Home {
    /// Adds a user; the first user, and no other, must be the owner.
    ///
    /// - Throws: ``HomeError`` if another user has the name, if there would be no owner or two of them, or if there are
    ///   too many users.
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

    /// Renames a user.
    ///
    /// - Throws: ``HomeError`` if the user does not exist or the name is taken.
    public mutating func renameUser(_ id: ObjectID<HomeUser>, to name: ObjectName) throws(HomeError) {
        let index = try index(of: id, in: users, "user")
        try checkIsUnused(name, in: users, "another user", except: id)
        users[index].name = name
    }

    /// Sets the role of a user.
    ///
    /// If the user becomes the owner, the previous owner becomes an administrator.
    ///
    /// - Throws: ``HomeError`` if the user does not exist, or if the home would have no owner.
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

    /// Sets whether a user may access the home remotely.
    ///
    /// - Throws: ``HomeError`` if the user does not exist.
    public mutating func setRemote(_ isRemote: Bool, of id: ObjectID<HomeUser>) throws(HomeError) {
        users[try index(of: id, in: users, "user")].isRemote = isRemote
    }

    /// Sets whether a user is home; `nil` means that the presence is unknown.
    ///
    /// - Throws: ``HomeError`` if the user does not exist.
    public mutating func setPresence(_ isHome: Bool?, of id: ObjectID<HomeUser>) throws(HomeError) {
        users[try index(of: id, in: users, "user")].isHome = isHome
    }

    /// Removes a user; the owner can only be removed as the last user.
    ///
    /// - Throws: ``HomeError`` if the user does not exist, or is the owner of a home with other users.
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
        case 0: throw .ownerMissing("The home has users, but no owner.", at: name.text)
        default: throw .ownerMissing("The home has more than one owner.", at: name.text)
        }
    }
}
