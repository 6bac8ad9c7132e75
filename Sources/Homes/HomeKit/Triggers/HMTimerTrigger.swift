internal import Documents
internal import HomeModel
internal import HomeRuntime

/// A trigger that fires at a date and then, optionally, at regular intervals.
open class HMTimerTrigger: HMTrigger, @unchecked Sendable {
    private let ownFireDate: Date
    private let ownRecurrence: DateComponents?

    /// Creates a trigger, which can be added to a home.
    ///
    /// - Parameters:
    ///   - name: The name, unique among the triggers of the home.
    ///   - fireDate: The first date, without seconds.
    ///   - recurrence: From 5 minutes to 5 weeks; `nil` to fire once.
    public init(name: String, fireDate: Date, recurrence: DateComponents?) {
        (ownFireDate, ownRecurrence) = (fireDate, recurrence)
        super.init(name: name)
    }

    /// Creates a trigger; the time zone is always that of the home, and the calendar the Gregorian one.
    public convenience init(
        name: String,
        fireDate: Date,
        timeZone: TimeZone?,
        recurrence: DateComponents?,
        recurrenceCalendar: Calendar?
    ) {
        self.init(name: name, fireDate: fireDate, recurrence: recurrence)
    }

    override init(_ modelReference: ModelReference<Automation>) {
        (ownFireDate, ownRecurrence) = (Date(timeIntervalSince1970: 0), nil)
        super.init(modelReference)
    }

    /// The date at which the trigger fires for the first time.
    open var fireDate: Date {
        guard let modelReference, let timer = Timer(modelReference.model.rule) else { return ownFireDate }
        // The home cannot be removed together with its time zone.
        return modelReference.snapshot.map { timer.date(in: $0.home) } ?? ownFireDate
    }

    /// The interval at which the trigger repeats, or `nil` if it fires once.
    ///
    /// It consists of weeks, or of days, or of hours and minutes.
    open var recurrence: DateComponents? {
        guard let modelReference else { return ownRecurrence }
        return Timer(modelReference.model.rule)?.recurrence
    }

    /// Always `nil`, which means the time zone of the home.
    @available(*, deprecated)
    open var timeZone: TimeZone? { nil }

    override func rule(in home: Home) throws(HMError) -> AutomationRule<HomeIDs> {
        let timer = try Timer(ownFireDate, ownRecurrence, in: home)
        try timer.checkIsNotPast(in: home)
        return AutomationRule(isEnabled: false, triggers: [timer.trigger], targets: AutomationTargets())
    }

    override class func checkBeforeEnabling(_ rule: AutomationRule<HomeIDs>, in home: Home) throws(HMError) {
        guard let timer = Timer(rule) else { return }
        try timer.checkIsNotPast(in: home)
        guard timer.date(in: home).timeIntervalSinceNow < Timer.longest else {
            throw HMError(.cannotActivateTriggerTooFarInFuture, "The date is more than five weeks away.")
        }
    }

    /// Changes the date at which the trigger fires for the first time.
    ///
    /// Errors: `dateMustBeOnSpecifiedBoundaries` for a date with seconds, `fireDateInPast` if the trigger fires once.
    open func updateFireDate(_ fireDate: Date, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        updating(to: fireDate).report(to: completionHandler)
    }

    /// Changes the date at which the trigger fires for the first time.
    open func updateFireDate(_ fireDate: Date) async throws { try await updating(to: fireDate).value }

    private func updating(to fireDate: Date) -> PendingResult<Void> {
        change { rule, home throws(HMError) in
            guard var timer = Timer(rule) else { throw .removed }
            try timer.setDate(fireDate, in: home)
            try timer.checkIsNotPast(in: home)
            rule.triggers = [timer.trigger]
        }
    }

    /// Changes the interval at which the trigger repeats; `nil` means that it fires once.
    ///
    /// Errors: `recurrenceTooSmall`, `recurrenceTooLarge`, `recurrenceMustBeOnSpecifiedBoundaries` for seconds, and
    /// `invalidParameter` for other components than weeks, days, hours and minutes.
    open func updateRecurrence(
        _ recurrence: DateComponents?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        updating(to: recurrence).report(to: completionHandler)
    }

    /// Changes the interval at which the trigger repeats; `nil` means that it fires once.
    open func updateRecurrence(_ recurrence: DateComponents?) async throws {
        try await updating(to: recurrence).value
    }

    private func updating(to recurrence: DateComponents?) -> PendingResult<Void> {
        change { rule, _ throws(HMError) in
            guard var timer = Timer(rule) else { throw .removed }
            try timer.setRecurrence(recurrence)
            rule.triggers = [timer.trigger]
        }
    }
}

extension HMTimerTrigger {
    /// The only trigger of an automation, if it is a date with an interval that Apple's framework has.
    struct Timer: Sendable {
        private enum Interval: Sendable {
            case days(Recurrence)
            case time(Duration)
        }

        private static let minute: TimeInterval = 60
        private static let day = 24 * 60 * minute
        private static let shortest = 5 * minute
        static let longest = 5 * 7 * day

        private var start: CivilDateTime
        private var interval: Interval

        /// Reads an automation; `nil` for one that is shown as an ``HMEventTrigger``.
        init?(_ rule: AutomationRule<HomeIDs>) {
            guard rule.triggers.count == 1 else { return nil }
            switch rule.triggers[0] {
            case .calendar(let date, let recurrence):
                switch recurrence {
                case .once, .daily, .everyDays, .everyWeeks: (start, interval) = (date, .days(recurrence))
                case .weekly, .everyMonths, .yearly: return nil
                }
            case .interval(let time, let date?): (start, interval) = (date, .time(time))
            default: return nil
            }
        }

        init(_ date: Date, _ recurrence: DateComponents?, in home: Home) throws(HMError) {
            (start, interval) = (try Self.start(date, in: home), try Self.interval(recurrence))
        }

        mutating func setDate(_ date: Date, in home: Home) throws(HMError) { start = try Self.start(date, in: home) }

        mutating func setRecurrence(_ recurrence: DateComponents?) throws(HMError) {
            interval = try Self.interval(recurrence)
        }

        var trigger: Trigger<HomeIDs> {
            switch interval {
            case .days(let recurrence): .calendar(start, recurrence)
            case .time(let time): .interval(time, from: start)
            }
        }

        func date(in home: Home) -> Date {
            Date(timeIntervalSince1970: TimeInterval(FoundationCalendar(of: home).instant(of: start).seconds))
        }

        var recurrence: DateComponents? {
            switch interval {
            case .days(.everyDays(let count)): return DateComponents(day: count)
            case .days(.everyWeeks(let count)): return DateComponents(weekOfYear: count)
            case .days(.daily): return DateComponents(day: 1)
            case .days: return nil
            case .time(let time):
                let minutes = Int(time.components.seconds / 60)
                return DateComponents(hour: minutes / 60, minute: minutes % 60)
            }
        }

        func checkIsNotPast(in home: Home) throws(HMError) {
            guard case .days(.once) = interval, date(in: home) < Date() else { return }
            throw HMError(.fireDateInPast, "The date is in the past.")
        }

        private static func start(_ date: Date, in home: Home) throws(HMError) -> CivilDateTime {
            let seconds = date.timeIntervalSince1970
            // Dates of this and the next millennium: others cannot be counted in nanoseconds.
            guard seconds.truncatingRemainder(dividingBy: minute) == 0, 0..<9_000_000_000 ~= seconds else {
                throw HMError(.dateMustBeOnSpecifiedBoundaries, "The date must be in whole minutes, and after 1970.")
            }
            return FoundationCalendar(of: home).civil(of: WallInstant(seconds: Int64(seconds)))
        }

        private static func interval(_ recurrence: DateComponents?) throws(HMError) -> Interval {
            guard let recurrence else { return .days(.once) }
            // `Double`, because a sum of arbitrary integers could overflow.
            func part(_ number: Int?, times unit: TimeInterval) -> TimeInterval {
                number.map { TimeInterval($0) * unit } ?? 0
            }
            let days =
                part(recurrence.weekOfYear, times: 7 * day) + part(recurrence.weekOfMonth, times: 7 * day)
                + part(recurrence.day, times: day)
            let time =
                part(recurrence.hour, times: 60 * minute) + part(recurrence.minute, times: minute)
                + part(recurrence.second, times: 1)
            let total = days + time
            guard recurrence.weekday == nil else {
                throw .invalid("Give the recurrence in minutes, hours, days or weeks.")
            }
            guard recurrence.month ?? 0 == 0, recurrence.year ?? 0 == 0, total <= longest else {
                throw HMError(.recurrenceTooLarge, "The recurrence must be at most 5 weeks.")
            }
            guard total >= shortest else {
                throw HMError(.recurrenceTooSmall, "The recurrence must be at least 5 minutes.")
            }
            guard total.truncatingRemainder(dividingBy: minute) == 0 else {
                throw HMError(
                    .recurrenceMustBeOnSpecifiedBoundaries,
                    "The recurrence must be a whole number of minutes."
                )
            }
            // A day has 23 or 25 hours when the clocks change, but 24 hours are always 24 hours.
            guard time == 0 else { return .time(.seconds(Int(total))) }
            let count = Int(total / day)
            return .days(count % 7 == 0 ? .everyWeeks(count / 7) : .everyDays(count))
        }
    }
}
