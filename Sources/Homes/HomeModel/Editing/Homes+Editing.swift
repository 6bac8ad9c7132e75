extension Homes {
    /// Changes the homes in a transaction: if an error is thrown, nothing has changed.
    ///
    /// The homes obey all rules afterwards, whatever `change` does.
    ///
    /// ```swift
    /// try homes.transaction { homes throws(HomeError) in
    ///     let home = try homes.addHome(named: ObjectName("Kilgo House"))
    ///     try homes.edit(home) { home throws(HomeError) in try home.addRoom(named: ObjectName("Garage")) }
    /// }
    /// ```
    ///
    /// - Throws: The error of `change`, or the first ``HomeError`` for a rule that the changed homes break.
    public mutating func transaction<Result>(
        _ change: (inout Homes) throws(HomeError) -> Result
    ) throws(HomeError) -> Result {
        var changed = self
        let result = try change(&changed)
        if let error = HomeRules.violations(in: changed).first { throw error }
        self = changed
        return result
    }

    /// Changes one home in a transaction: if an error is thrown, nothing has changed.
    ///
    /// - Throws: ``HomeError/Code/unknownObject`` if the home does not exist, the error of `change`, or the first
    ///   ``HomeError`` for a rule that the changed homes break.
    public mutating func edit<Result>(
        _ id: ObjectID<Home>,
        _ change: (inout Home) throws(HomeError) -> Result
    ) throws(HomeError) -> Result {
        try transaction { homes throws(HomeError) in
            let index = try homes.index(of: id)
            let before = homes.homes[index].name
            let result = try change(&homes.homes[index])
            let home = homes.homes[index]
            guard home.id == id else {
                throw HomeError(.wrongHome, at: before.text, "An edit cannot turn one home into another.")
            }
            return result
        }
    }

    /// Adds an empty home; the first one becomes the primary home.
    ///
    /// - Throws: ``HomeError`` if another home has the name, or there are too many homes.
    public mutating func addHome(named name: ObjectName) throws(HomeError) -> ObjectID<Home> {
        guard homes.count < HomeLimits.homes else {
            throw .tooMany("homes", limit: HomeLimits.homes, at: name.text)
        }
        try check(name, except: nil)
        guard 1..<Home.numbersPerHome ~= nextID else {
            throw .tooMany("numbers of homes", limit: Int(Home.numbersPerHome), at: name.text)
        }
        let id = ObjectID<Home>(nextID)
        nextID += 1
        // The ids of different homes do not overlap, so that an object of the wrong home is never found.
        homes.append(Home(id: id, name: name, nextID: (id.rawValue - 1) * Home.numbersPerHome + 1))
        primary = primary ?? id
        return id
    }

    /// Renames a home.
    ///
    /// - Throws: ``HomeError`` if the home does not exist, or another home has the name.
    public mutating func renameHome(_ id: ObjectID<Home>, to name: ObjectName) throws(HomeError) {
        let index = try index(of: id)
        try check(name, except: id)
        homes[index].name = name
    }

    /// Removes a home with everything in it.
    ///
    /// If it was the primary home, the first of the remaining homes becomes the primary one.
    ///
    /// - Throws: ``HomeError`` if the home does not exist.
    @discardableResult
    public mutating func removeHome(_ id: ObjectID<Home>) throws(HomeError) -> [EditEffect] {
        let index = try index(of: id)
        let gone = homes.remove(at: index)
        var consequences = gone.accessories.map { EditEffect.accessoryRemoved($0.name) }
        if primary == id {
            primary = homes.first?.id
            if let home = homes.first {
                consequences.append(.primaryHomeChanged(home.name))
            }
        }
        return consequences
    }

    /// Makes a home the primary one, which is used when no home is named.
    ///
    /// - Throws: ``HomeError`` if the home does not exist.
    public mutating func setPrimary(_ id: ObjectID<Home>) throws(HomeError) {
        _ = try index(of: id)
        primary = id
    }

    private func index(of id: ObjectID<Home>) throws(HomeError) -> Int {
        guard let index = homes.firstIndex(where: { $0.id == id }) else { throw .unknown("home", "\(id)", at: "") }
        return index
    }

    private func check(_ name: ObjectName, except id: ObjectID<Home>?) throws(HomeError) {
        if homes.contains(where: { $0.id != id && $0.name.key == name.key }) {
            throw .duplicateName(name, "another home", at: name.text)
        }
    }
}

extension Home {
    /// The number of ids that each home has for its objects.
    static let numbersPerHome: UInt64 = 1 << 31
}
