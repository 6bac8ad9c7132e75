/// A date of the Gregorian calendar without a time zone, in the years 1 to 9999.
public struct CivilDate: Sendable, Hashable {
    /// The year, 1...9999.
    public let year: Int
    /// The month, 1...12.
    public let month: Int
    /// The day of the month, 1...31.
    public let day: Int

    /// Creates a date, or returns `nil` if it does not exist, such as 30 February.
    public init?(year: Int, month: Int, day: Int) {
        guard 1...9_999 ~= year, 1...12 ~= month, day >= 1, day <= Self.length(ofMonth: month, in: year) else {
            return nil
        }
        self.init(unchecked: year, month, day)
    }

    /// Creates the date at a number of days after 1970-01-01, limited to the range of dates.
    ///
    /// Source: Howard Hinnant, [chrono-compatible low-level date
    /// algorithms](https://howardhinnant.github.io/date_algorithms.html#civil_from_days).
    public init(daysSinceEpoch days: Int) {
        let shifted = min(max(days, Self.firstDay), Self.lastDay) + 719_468
        // Counts from year 0, so that no number here is negative.
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        self.init(unchecked: year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// Reads a text such as `2026-03-29`, and returns `nil` for other texts.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8.prefix(11))
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = bytes[0..<4].decimal, let month = bytes[5..<7].decimal, let day = bytes[8..<10].decimal
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    private init(unchecked year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The number of days since 1970-01-01.
    public var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear % 400
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the date this number of days later, limited to the range of dates.
    public func adding(days: Int) -> CivilDate {
        CivilDate(daysSinceEpoch: min(max(days, -Self.lastDay * 2), Self.lastDay * 2) + daysSinceEpoch)
    }

    /// Returns the date this number of months later, or `nil` if it is out of range.
    ///
    /// If that month is too short, the result is its last day.
    package func adding(months: Int) -> CivilDate? {
        let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow, 12..<120_000 ~= sum else { return nil }
        let (year, month) = (sum / 12, sum % 12 + 1)
        return CivilDate(unchecked: year, month, min(day, Self.length(ofMonth: month, in: year)))
    }

    /// Returns the number of days in a month.
    public static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static let firstDay = -719_162
    private static let lastDay = 2_932_896
}

extension CivilDate: Comparable {
    /// Returns whether one date is before another.
    public static func < (lhs: CivilDate, rhs: CivilDate) -> Bool {
        (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
    }
}

extension CivilDate: CustomStringConvertible {
    /// The date in ISO 8601, such as `2026-03-29`.
    public var description: String {
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "-\(month.twoDigits)-\(day.twoDigits)"
    }
}

extension Int {
    /// The number with at least two digits.
    var twoDigits: String {
        self < 10 ? "0\(self)" : String(self)
    }
}

extension ArraySlice<UInt8> {
    /// The decimal number in ASCII digits, or `nil` if there are other bytes or none.
    var decimal: Int? {
        var number = 0
        for byte in self {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return isEmpty ? nil : number
    }
}
