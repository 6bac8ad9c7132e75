extension Home {
    /// Adds an automation.
    ///
    /// - Parameter make: Makes it with the id that it is to have.
    /// - Throws: ``HomeError``: a name that another automation has, what ``Automation/violations(in:)`` finds, or too many.
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

    /// Puts an automation in the place of the one with its id.
    ///
    /// - Throws: ``HomeError``: no such automation, a name that is taken, or what ``Automation/violations(in:)`` finds.
    public mutating func replaceAutomation(with automation: Automation) throws(HomeError) {
        let index = try index(of: automation.id, in: automations, "automation")
        try check(automation)
        automations[index] = automation
    }

    /// Gives an automation another name.
    ///
    /// - Throws: ``HomeError``: no such automation, or a name that is taken.
    public mutating func renameAutomation(_ id: ObjectID<Automation>, to name: ObjectName) throws(HomeError) {
        let index = try index(of: id, in: automations, "automation")
        var automation = automations[index]
        automation.name = name
        try check(automation)
        automations[index] = automation
    }

    /// Lets an automation run, or not.
    ///
    /// - Throws: ``HomeError``: no such automation.
    public mutating func setAutomation(_ id: ObjectID<Automation>, isEnabled: Bool) throws(HomeError) {
        automations[try index(of: id, in: automations, "automation")].isEnabled = isEnabled
    }

    /// Disables an automation if there is one with the id.
    mutating func disableAutomation(_ id: ObjectID<Automation>) {
        guard let index = automations.firstIndex(where: { $0.id == id }) else { return }
        automations[index].isEnabled = false
    }

    /// Removes an automation.
    ///
    /// - Throws: ``HomeError``: no such automation.
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
