extension Home {
    /// Sets the place of the home; `nil` means that it is unknown.
    ///
    /// - Throws: ``HomeError`` if the place is `nil` and an automation needs it.
    public mutating func setPlace(_ place: GeographicPlace?) throws(HomeError) {
        var changed = self
        changed.place = place
        if place == nil {
            try changed.checkAutomations()
        }
        self = changed
    }

    /// Sets the time zone of the home by its IANA name; `nil` means the time zone of the machine.
    ///
    /// - Throws: ``HomeError/Code/timeZone`` if the text cannot be such a name.
    public mutating func setTimeZone(_ timeZone: String?) throws(HomeError) {
        if let timeZone, !Self.canBeTimeZone(timeZone) { throw .timeZone(timeZone, at: name.text) }
        self.timeZone = timeZone
    }

    /// Returns the number of the next id, and reserves it.
    ///
    /// - Throws: ``HomeError`` if no number is left.
    mutating func nextNumber() throws(HomeError) -> UInt64 {
        guard nextID < HomeLimits.number else {
            throw .identifier(nextID, at: name.text)
        }
        defer { nextID += 1 }
        return nextID
    }

    /// Returns the path of an object, for use in errors.
    func path(_ thing: ObjectName) -> String {
        "\(name)/\(thing)"
    }

    func checkAutomations() throws(HomeError) {
        if let error = Automation.violations(ofAllIn: self).first { throw error }
    }

    /// Checks that a count does not exceed a limit.
    func checkCount(_ count: Int, _ kind: String, limit: Int) throws(HomeError) {
        guard count <= limit else { throw .tooMany(kind, limit: limit, at: name.text) }
    }
}
