package import Documents
internal import HAPCore

/// The days on which something is repeated.
///
/// ``daily`` and ``weekly(_:)`` need no start date. The others count from the start date of a calendar trigger. If a
/// month does not have the day of that date, its last day is used. For example, the 31st becomes 30 April, and
/// 29 February becomes 28 February in a common year. Each occurrence is counted from the start date, so the one after
/// 30 April is on 31 May.
public enum Recurrence: Sendable, Hashable {
    /// Only on the start date.
    case once
    /// Every day.
    case daily
    /// On certain days of the week.
    case weekly(WeekdaySet)
    /// Every given number of days from the start date.
    case everyDays(Int)
    /// Every given number of weeks, on the day of the week of the start date.
    case everyWeeks(Int)
    /// Every given number of months from the start date.
    case everyMonths(Int)
    /// Every year from the start date.
    case yearly

    /// Whether the recurrence needs a start date.
    public var needsDate: Bool {
        switch self {
        case .daily, .weekly: false
        case .once, .everyDays, .everyWeeks, .everyMonths, .yearly: true
        }
    }

    /// Returns the first day on or after `earliest`, and on or after `start` if it is given; `nil` if there is none.
    ///
    /// A recurrence that needs a start date has no days without one.
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

    /// Limits counts that the rules do not allow, so that they cannot cause a crash.
    private static func clamped(_ count: Int) -> Int {
        min(max(count, 1), 100_000)
    }
}

extension Recurrence: CustomStringConvertible {
    /// The end of a sentence, such as `every day`, `on monday, friday` or `every 3 weeks`.
    public var description: String {
        switch self {
        case .once: "once"
        case .daily: "every day"
        case .weekly(.everyDay): "every day"
        case .weekly(.workdays): "on workdays"
        case .weekly(.weekend): "at the weekend"
        case .weekly(let days): "on " + days.days.map(\.rawValue).joined(separator: ", ")
        case .everyDays, .everyWeeks, .everyMonths, .yearly: "every \(intervalText)"
        }
    }

    /// The interval, such as `day`, `3 weeks` or `year`; empty for days of the week.
    var intervalText: String {
        switch self {
        case .everyDays(let count): count == 1 ? "day" : "\(count) days"
        case .everyWeeks(let count): count == 1 ? "week" : "\(count) weeks"
        case .everyMonths(let count): count == 1 ? "month" : "\(count) months"
        case .yearly: "year"
        case .once, .daily, .weekly: ""
        }
    }

    /// The units of intervals that can have a count.
    static let units: [(name: String, make: @Sendable (Int) -> Recurrence)] = [
        ("day", { .everyDays($0) }), ("week", { .everyWeeks($0) }), ("month", { .everyMonths($0) }),
    ]
}

extension Recurrence: Codable {
    private enum CodingKeys: String, CodingKey {
        case once, daily, yearly, weekly, days, weeks, months
    }

    /// Decodes a recurrence, and throws an error if it is unknown.
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
