extension Recurrence {
    /// The first occurrence after an instant; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - instant: It is after this one, never at it.
    ///   - start: The date from which it counts.
    ///   - zone: Whose days they are.
    ///   - moment: When it happens on a day; `nil` when it does not on that day. It lies within a day and a half of noon.
    package func next(
        after instant: WallInstant,
        from start: CivilDate?,
        in zone: some CivilCalendar,
        moment: (CivilDate) -> WallInstant?
    ) -> WallInstant? {
        // What is due on one day may be on another by its instant: the sun with an offset, a time that clocks skip.
        var earliest = zone.civil(of: instant).date.adding(days: -2)
        // More than the longest polar night, and than every other year without a moment.
        for _ in 0..<Self.maximumAttempts {
            guard let day = day(onOrAfter: earliest, from: start) else { return nil }
            if let moment = moment(day), moment > instant, moment < Self.distantFuture { return moment }
            let next = day.adding(days: 1)
            guard next > day else { return nil }
            earliest = next
        }
        return nil
    }

    /// The first occurrence after an instant of a time of day.
    package func next(
        after instant: WallInstant,
        at time: CivilTime,
        from start: CivilDate?,
        in zone: some CivilCalendar
    ) -> WallInstant? {
        next(after: instant, from: start, in: zone) { zone.instant(of: CivilDateTime(date: $0, time: time)) }
    }

    private static let maximumAttempts = 400
    /// The end of the range of instants: where reckoning stops.
    private static let distantFuture = WallInstant(nanoseconds: .max)
}
