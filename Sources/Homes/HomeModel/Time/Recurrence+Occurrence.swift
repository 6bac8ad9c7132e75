package import Documents

extension Recurrence {
    /// Returns the first occurrence after an instant, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - instant: The instant; an occurrence at exactly this instant does not count.
    ///   - start: The date from which the recurrence counts.
    ///   - zone: The time zone of the days.
    ///   - moment: Returns the instant of the occurrence on a day, within a day and a half of noon, or `nil` if there
    ///     is none on that day.
    package func next(
        after instant: WallInstant,
        from start: CivilDate?,
        in zone: some CivilCalendar,
        moment: (CivilDate) -> WallInstant?
    ) -> WallInstant? {
        // An occurrence may fall on a date other than its day, because of an offset from sunrise or sunset, or because
        // clocks skip its time.
        var earliest = zone.civil(of: instant).date.adding(days: -2)
        // The number of attempts covers the longest polar night, and more than a year of days without an occurrence.
        for _ in 0..<Self.maximumAttempts {
            guard let day = day(onOrAfter: earliest, from: start) else { return nil }
            if let moment = moment(day), moment > instant, moment < Self.distantFuture { return moment }
            let next = day.adding(days: 1)
            guard next > day else { return nil }
            earliest = next
        }
        return nil
    }

    /// Returns the first occurrence of a time of day after an instant, or `nil` if there is none.
    package func next(
        after instant: WallInstant,
        at time: CivilTime,
        from start: CivilDate?,
        in zone: some CivilCalendar
    ) -> WallInstant? {
        next(after: instant, from: start, in: zone) { zone.instant(of: CivilDateTime(date: $0, time: time)) }
    }

    private static let maximumAttempts = 400
    /// The end of the range of instants, where the search stops.
    private static let distantFuture = WallInstant(nanoseconds: .max)
}
