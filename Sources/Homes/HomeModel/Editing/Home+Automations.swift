extension Home {
    /// Adds an automation.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that another automation has, and an automation in which
    /// ``Automation/violations(in:)`` finds an error.
    ///
    /// - Parameter make: Creates the automation with the given id.
    /// - Throws: ``HomeError`` if the automation has another id, or if no id is left.
    public mutating func addAutomation(
        _ make: (ObjectID<Automation>) throws(HomeError) -> Automation
    ) throws(HomeError) -> ObjectID<Automation> {
        let automation = try make(ObjectID(nextID))
        guard automation.id.rawValue == nextID else {
            throw .identifier(automation.id.rawValue, at: path(automation.name))
        }
        _ = try nextNumber()
        automations.append(automation)
        return automation.id
    }

    /// Replaces the automation that has the same id.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that is taken, and an automation in which ``Automation/violations(in:)`` finds
    /// an error.
    ///
    /// - Throws: ``HomeError`` if the automation does not exist.
    public mutating func replaceAutomation(with automation: Automation) throws(HomeError) {
        let index = try index(of: automation.id, in: automations)
        automations[index] = automation
    }

    /// Renames an automation.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that is taken.
    ///
    /// - Throws: ``HomeError`` if the automation does not exist.
    public mutating func renameAutomation(_ id: ObjectID<Automation>, to name: ObjectName) throws(HomeError) {
        try rename(id, in: \.automations, to: name)
    }

    /// Enables or disables an automation.
    ///
    /// - Throws: ``HomeError`` if the automation does not exist.
    public mutating func setAutomation(_ id: ObjectID<Automation>, isEnabled: Bool) throws(HomeError) {
        automations[try index(of: id, in: automations)].isEnabled = isEnabled
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
        try remove(id, from: \.automations)
    }
}
