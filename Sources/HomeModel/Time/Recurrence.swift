internal import HAPCore

/// On which days something happens again.
///
/// ``daily`` and ``weekly(_:)`` stand for themselves; the others count from a date, which a calendar trigger has.
/// A month or a year that does not have the date's day takes the last day of the month: the 31st is 30 April, and
/// 29 February is the 28th in a common year. It is counted from the date each time, so that the 31st comes back in May.
public enum Recurrence: Sendable, Hashable {
    /// On the date alone.
    case once
    /// Every day.
    case daily
    /// On these days of the week.
    case weekly(WeekdaySet)
    /// Every so many days from the date on.
    case everyDays(Int)
    /// Every so many weeks from the date on, on its day of the week.
    case everyWeeks(Int)
    /// Every so many months from the date on.
    case everyMonths(Int)
    /// Every year from the date on.
    case yearly

    /// Whether it counts from a date.
    public var needsDate: Bool {
        switch self {
        case .daily, .weekly: false
        case .once, .everyDays, .everyWeeks, .everyMonths, .yearly: true
        }
    }

    /// The first day that is not before `earliest`, and not before `start` when there is one; `nil` when there is none.
    ///
    /// Without a `start`, what needs a date has no days.
    package func day(onOrAfter earliest: CivilDate, from start: CivilDate?) -> CivilDate? {
        let earliest = max(earliest, start ?? earliest)
        switch self {
        case .daily:
            return earliest
        case .weekly(let days):
            return (0..<7).lazy.map { earliest.adding(days: $0) }.first { days.contains($0.weekday) }
        case .once:
            guard let start, start >= earliest else { return nil }
            return start
        case .everyDays(let count):
            return start.flatMap { day(every: count, from: $0, onOrAfter: earliest) }
        case .everyWeeks(let count):
            return start.flatMap { day(every: Self.clamped(count) * 7, from: $0, onOrAfter: earliest) }
        case .everyMonths(let count):
            return start.flatMap { day(everyMonths: Self.clamped(count), from: $0, onOrAfter: earliest) }
        case .yearly:
            return start.flatMap { day(everyMonths: 12, from: $0, onOrAfter: earliest) }
        }
    }

    private func day(every count: Int, from start: CivilDate, onOrAfter earliest: CivilDate) -> CivilDate? {
        let count = Self.clamped(count)
        let passed = earliest.daysSinceEpoch - start.daysSinceEpoch
        let candidate = start.adding(days: (passed + count - 1) / count * count)
        return candidate >= earliest ? candidate : nil
    }

    private func day(everyMonths count: Int, from start: CivilDate, onOrAfter earliest: CivilDate) -> CivilDate? {
        let passed = (earliest.year - start.year) * 12 + earliest.month - start.month
        var months = passed / count * count
        while let candidate = start.adding(months: months) {
            if candidate >= earliest { return candidate }
            months += count
        }
        return nil
    }

    /// Counts that no rule lets through still trap nothing.
    private static func clamped(_ count: Int) -> Int {
        min(max(count, 1), 100_000)
    }
}

extension Recurrence: CustomStringConvertible {
    /// As a sentence goes on: `every day`, `on monday and friday`, `every 3 weeks`.
    public var description: String {
        switch self {
        case .once: "once"
        case .daily: "every day"
        case .weekly(.everyDay): "every day"
        case .weekly(.workdays): "on workdays"
        case .weekly(.weekend): "at the weekend"
        case .weekly(let days): "on " + days.days.map(\.name).joined(separator: ", ")
        case .everyDays, .everyWeeks, .everyMonths, .yearly: "every \(intervalText)"
        }
    }

    /// The time from one occurrence to the next, but for days of the week: `day`, `3 weeks`, `year`.
    var intervalText: String {
        switch self {
        case .everyDays(let count): count == 1 ? "day" : "\(count) days"
        case .everyWeeks(let count): count == 1 ? "week" : "\(count) weeks"
        case .everyMonths(let count): count == 1 ? "month" : "\(count) months"
        case .yearly: "year"
        case .once, .daily, .weekly: ""
        }
    }

    /// The units of intervals of which there may be several.
    static let units: [(name: String, make: @Sendable (Int) -> Recurrence)] = [
        ("day", { .everyDays($0) }), ("week", { .everyWeeks($0) }), ("month", { .everyMonths($0) }),
    ]
}

extension Recurrence: Codable {
    private enum CodingKeys: String, CodingKey {
        case once, daily, yearly, weekly, days, weeks, months
    }

    /// Decodes a recurrence; throws for an unknown one.
    public init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        switch stored.allKeys.first {
        case .once: self = .once
        case .daily: self = .daily
        case .yearly: self = .yearly
        case .weekly: self = .weekly(try stored.decode(forKey: .weekly))
        case .days: self = .everyDays(try stored.decode(forKey: .days))
        case .weeks: self = .everyWeeks(try stored.decode(forKey: .weeks))
        case .months: self = .everyMonths(try stored.decode(forKey: .months))
        case nil: throw stored.dataCorrupted("an unknown recurrence")
        }
    }

    /// Encodes the recurrence.
    public func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .once: try stored.encode(true, forKey: .once)
        case .daily: try stored.encode(true, forKey: .daily)
        case .yearly: try stored.encode(true, forKey: .yearly)
        case .weekly(let days): try stored.encode(days, forKey: .weekly)
        case .everyDays(let count): try stored.encode(count, forKey: .days)
        case .everyWeeks(let count): try stored.encode(count, forKey: .weeks)
        case .everyMonths(let count): try stored.encode(count, forKey: .months)
        }
    }
}
