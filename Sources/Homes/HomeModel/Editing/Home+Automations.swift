extension Home {
    /// Adds an automation.
    ///
    /// - Parameter make: Creates the automation with the given id.
    /// - Throws: ``HomeError`` if another automation has the name, ``Automation/violations(in:)`` finds an error, or a
    ///   limit is exceeded.
    public mutating func addAutomation(
        _ make: (ObjectID<Automation>) throws(HomeError) -> Automation
    ) throws(HomeError) -> ObjectID<Automation> {
        try checkCount(automations.count + 1, "automations", limit: HomeLimits.automations)
        let automation = try make(ObjectID(nextID))
        guard automation.id.rawValue == nextID else {
            throw .identifier(automation.id.rawValue, at: path(automation.name))
        }
        try check(automation)
        _ = try nextNumber()
        automations.append(automation)
        return automation.id
    }

    /// Replaces the automation that has the same id.
    ///
    /// - Throws: ``HomeError`` if the automation does not exist, the name is taken, or ``Automation/violations(in:)``
    ///   finds an error.
    public mutating func replaceAutomation(with automation: Automation) throws(HomeError) {
        let index = try index(of: automation.id, in: automations, "automation")
        try check(automation)
        automations[index] = automation
    }

    /// Renames an automation.
    ///
    /// - Throws: ``HomeError`` if the automation does not exist or the name is taken.
    public mutating func renameAutomation(_ id: ObjectID<Automation>, to name: ObjectName) throws(HomeError) {
        let index = try index(of: id, in: automations, "automation")
        var automation = automations[index]
        automation.name = name
        try check(automation)
        automations[index] = automation
    }

    /// Enables or disables an automation.
    ///
    /// - Throws: ``HomeError`` if the automation does not exist.
    public mutating func setAutomation(_ id: ObjectID<Automation>, isEnabled: Bool) throws(HomeError) {
        automations[try index(of: id, in: automations, "automation")].isEnabled = isEnabled
    }

    /// Disables the automation with an id, if it exists.
    mutating func disableAutomation(_ id: ObjectID<Automation>) {
        guard let index = automations.firstIndex(where: { $0.id == id }) else { return }
        automations[index].isEnabled = false
    }

    /// Removes an automation.
    ///
    /// - Throws: ``HomeError`` if the automation does not exist.
    public mutating func removeAutomation(_ id: ObjectID<Automation>) throws(HomeError) {
        automations.remove(at: try index(of: id, in: automations, "automation"))
    }

    private func check(_ automation: Automation) throws(HomeError) {
        try checkIsUnused(automation.name, in: automations, "another automation", except: automation.id)
        let others = automations.lazy.filter { $0.id != automation.id }.map(\.rule.targetCount).reduce(0, +)
        try checkCount(
            others + automation.rule.targetCount,
            "scenes and actions of automations",
            limit: HomeLimits.automationTargets
        )
        if let error = automation.violations(in: self).first { throw error }
    }
}
