/// Dates in the form of XML property lists.
enum PropertyListDate {
    /// Returns the seconds from 2001-01-01 00:00 UTC to a date such as `2001-01-01T00:00:00Z`, or `nil` for any other
    /// text.
    ///
    /// [Proleptic Gregorian calendar](https://howardhinnant.github.io/date_algorithms.html#days_from_civil)
    static func seconds(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        let marks: [Int: Character] = [4: "-", 7: "-", 10: "T", 13: ":", 16: ":", 19: "Z"]
        guard bytes.count == 20, marks.allSatisfy({ bytes[$0.key] == $0.value.asciiValue }) else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            guard bytes[range].allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        return Double(((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second)
    }

    /// Returns the number of days since 2001-01-01.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years start in March, so that the leap day is the last day of a year.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_791
    }
}
