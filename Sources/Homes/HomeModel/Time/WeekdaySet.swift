/// A set of days of the week.
public struct WeekdaySet: OptionSet, Sendable, Hashable {
    /// The bits of the days; Monday is the lowest bit.
    public let rawValue: UInt8

    /// Creates a set from its bits, and ignores the unused bit.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue & 0x7F
    }

    /// Creates a set from days.
    public init(_ days: some Sequence<Weekday>) {
        self.init(rawValue: days.reduce(0) { $0 | Self.bit(of: $1) })
    }

    /// Monday to Friday.
    public static let workdays = WeekdaySet(rawValue: 0x1F)
    /// Saturday and Sunday.
    public static let weekend = WeekdaySet(rawValue: 0x60)
    /// All seven days.
    public static let everyDay = WeekdaySet(rawValue: 0x7F)

    /// Returns whether the set contains a day.
    public func contains(_ day: Weekday) -> Bool {
        rawValue & Self.bit(of: day) != 0
    }

    /// The days in the set, Monday first.
    public var days: [Weekday] {
        Weekday.allCases.filter(contains)
    }

    private static func bit(of day: Weekday) -> UInt8 {
        1 << UInt8(Weekday.allCases.firstIndex(of: day) ?? 0)
    }
}

extension WeekdaySet: Codable {}
