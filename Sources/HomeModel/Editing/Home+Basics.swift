extension Home {
    /// Says where the home is; `nil` when that is not known.
    ///
    /// - Throws: ``HomeError`` when an automation needs a place.
    public mutating func setPlace(_ place: GeographicPlace?) throws(HomeError) {
        var changed = self
        changed.place = place
        if place == nil {
            try changed.checkAutomations()
        }
        self = changed
    }

    /// Says which time zone the home is in, by the IANA's name; `nil` is the machine's.
    ///
    /// - Throws: ``HomeError/Code/timeZone`` for what cannot be such a name.
    public mutating func setTimeZone(_ timeZone: String?) throws(HomeError) {
        if let timeZone, !Self.canBeTimeZone(timeZone) { throw .timeZone(timeZone, at: name.text) }
        self.timeZone = timeZone
    }

    /// The number for something new.
    mutating func nextNumber() throws(HomeError) -> UInt64 {
        guard nextID < HomeLimits.number else {
            throw .identifier(nextID, at: name.text)
        }
        defer { nextID += 1 }
        return nextID
    }

    /// Where something is, for an error.
    func path(_ thing: ObjectName) -> String {
        "\(name)/\(thing)"
    }

    func checkAutomations() throws(HomeError) {
        if let error = Automation.violations(ofAllIn: self).first { throw error }
    }

    /// Throws when there is no place for more.
    func checkCount(_ count: Int, _ kind: String, limit: Int) throws(HomeError) {
        guard count <= limit else { throw .tooMany(kind, limit: limit, at: name.text) }
    }
}
