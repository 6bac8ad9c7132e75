extension Home {
    /// Adds a user.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that another user has, and a home with users but without exactly one owner:
    /// so the first user, and no other, must be the owner.
    ///
    /// - Throws: ``HomeError`` if no id is left.
    public mutating func addUser(
        named name: ObjectName,
        role: UserRole,
        isRemote: Bool = false
    ) throws(HomeError) -> ObjectID<HomeUser> {
        let access = UserAccess(role: role, isRemote: isRemote)
        let user = HomeUser(id: ObjectID(try nextNumber()), name: name, access: access)
        users.append(user)
        return user.id
    }

    /// Renames a user.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that is taken.
    ///
    /// - Throws: ``HomeError`` if the user does not exist.
    public mutating func renameUser(_ id: ObjectID<HomeUser>, to name: ObjectName) throws(HomeError) {
        try rename(id, in: \.users, to: name)
    }

    /// Sets the role of a user.
    ///
    /// If the user becomes the owner, the previous owner becomes an administrator. ``Homes/edit(_:_:)`` refuses to leave
    /// the home without an owner.
    ///
    /// - Throws: ``HomeError`` if the user does not exist.
    @discardableResult
    public mutating func setRole(_ role: UserRole, of id: ObjectID<HomeUser>) throws(HomeError) -> [EditEffect] {
        let index = try index(of: id, in: users)
        var consequences: [EditEffect] = []
        if role == .owner, let owner = users.firstIndex(where: { $0.role == .owner && $0.id != id }) {
            users[owner].role = .administrator
            consequences.append(.ownerChanged(from: users[owner].name, to: users[index].name))
        }
        users[index].role = role
        return consequences
    }

    /// Sets whether a user may access the home remotely.
    ///
    /// - Throws: ``HomeError`` if the user does not exist.
    public mutating func setRemote(_ isRemote: Bool, of id: ObjectID<HomeUser>) throws(HomeError) {
        users[try index(of: id, in: users)].isRemote = isRemote
    }

    /// Sets whether a user is home; `nil` means that the presence is unknown.
    ///
    /// - Throws: ``HomeError`` if the user does not exist.
    public mutating func setPresence(_ isHome: Bool?, of id: ObjectID<HomeUser>) throws(HomeError) {
        users[try index(of: id, in: users)].isHome = isHome
    }

    /// Removes a user.
    ///
    /// ``Homes/edit(_:_:)`` refuses to remove the owner of a home with other users.
    ///
    /// - Throws: ``HomeError`` if the user does not exist.
    @discardableResult
    public mutating func removeUser(_ id: ObjectID<HomeUser>) throws(HomeError) -> [EditEffect] {
        try remove(id, from: \.users)
        return removeReferences(to: RemovedObjects(users: [id]), names: [:])
    }
}
