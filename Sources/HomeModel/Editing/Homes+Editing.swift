extension Homes {
    /// Changes the homes as a whole or not at all: on an error nothing has changed.
    ///
    /// Whatever `change` does, all rules hold afterwards.
    ///
    /// ```swift
    /// try homes.transaction { homes throws(HomeError) in
    ///     let home = try homes.addHome(named: ObjectName("Kilgo House"))
    ///     try homes.edit(home) { home throws(HomeError) in try home.addRoom(named: ObjectName("Garage")) }
    /// }
    /// ```
    ///
    /// - Throws: ``HomeError``: that of `change`, else the first rule that would be broken.
    public mutating func transaction<Result>(
        _ change: (inout Homes) throws(HomeError) -> Result
    ) throws(HomeError) -> Result {
        var changed = self
        let result = try change(&changed)
        if let error = HomeRules.violations(in: changed).first { throw error }
        self = changed
        return result
    }

    /// Changes one home as a whole or not at all: on an error nothing has changed.
    ///
    /// - Throws: ``HomeError``: ``HomeError/Code/unknownObject`` when there is no such home, that of `change`, else the
    ///   first rule that would be broken.
    public mutating func edit<Result>(
        _ id: ObjectID<Home>,
        _ change: (inout Home) throws(HomeError) -> Result
    ) throws(HomeError) -> Result {
        try transaction { homes throws(HomeError) in
            let index = try homes.index(of: id)
            let before = homes.homes[index].name
            let result = try change(&homes.homes[index])
            let home = homes.homes[index]
            guard home.id == id else { throw .wrongHome(at: before.text) }
            return result
        }
    }

    /// Adds an empty home; the first one is the primary one.
    ///
    /// - Throws: ``HomeError``: a name that another home has, or too many homes.
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
        // Ids of one home are none of another's, so that a thing of the wrong home is not taken for one of this.
        homes.append(Home(id: id, name: name, nextID: (id.rawValue - 1) * Home.numbersPerHome + 1))
        primary = primary ?? id
        return id
    }

    /// Gives a home another name.
    ///
    /// - Throws: ``HomeError``: no such home, or a name that another home has.
    public mutating func renameHome(_ id: ObjectID<Home>, to name: ObjectName) throws(HomeError) {
        let index = try index(of: id)
        try check(name, except: id)
        homes[index].name = name
    }

    /// Removes a home with everything in it.
    ///
    /// Of the others, the first becomes the primary one if this was it.
    ///
    /// - Throws: ``HomeError``: no such home.
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

    /// Makes a home the one that is meant when none is named.
    ///
    /// - Throws: ``HomeError``: no such home.
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
    /// How many numbers a home has for its things, before the next home's begin.
    static let numbersPerHome: UInt64 = 1 << 31
}
