extension Home {
    /// Sets the place of the home; `nil` means that it is unknown.
    ///
    /// ``Homes/edit(_:_:)`` refuses `nil` if an automation needs the place.
    public mutating func setPlace(_ place: GeographicPlace?) {
        self.place = place
    }

    /// Sets the time zone of the home by its IANA name; `nil` means the time zone of the machine.
    ///
    /// ``Homes/edit(_:_:)`` refuses a text that cannot be such a name, with ``HomeError/Code/timeZone``.
    public mutating func setTimeZone(_ timeZone: String?) {
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

    /// Checks that a count does not exceed a limit.
    func checkCount(_ count: Int, _ kind: String, limit: Int) throws(HomeError) {
        guard count <= limit else { throw .tooMany(kind, limit: limit, at: name.text) }
    }
}
