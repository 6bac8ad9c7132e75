internal import Documents

/// Dates in the form of XML property lists.
enum PropertyListDate {
    /// Returns the seconds from 2001-01-01 00:00 UTC to a date such as `2001-01-01T00:00:00Z`, or `nil` for any other
    /// text.
    static func seconds(_ text: String) -> Double? {
        guard text.utf8.count == 20, text.hasSuffix("Z") else { return nil }
        let halves = text.dropLast().split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[1].utf8.count == 8,
            let date = CivilDate(halves[0]), let time = CivilTime(halves[1])
        else { return nil }
        return Double(date.daysSinceEpoch * 86_400 + time.secondOfDay - secondsFrom1970)
    }

    private static let secondsFrom1970 = 978_307_200
}
