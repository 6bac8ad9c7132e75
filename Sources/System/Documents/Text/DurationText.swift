/// The conversion between durations and their text in files: `250ms`, `12s`, `1.5s`, `5min`, `1h`, `14d`.
package enum DurationText {
    private static let units: [(name: String, attoseconds: Int128)] = [
        ("d", day), ("h", 3_600 * second), ("min", 60 * second), ("s", second), ("ms", second / 1_000),
    ]
    private static let second: Int128 = 1_000_000_000_000_000_000
    private static let day = 86_400 * second

    /// Parses a duration exactly, or returns `nil` for any other text.
    package static func read(_ text: String) -> Duration? {
        let digits = text.utf8.prefix { $0 == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard let unit = units.first(where: { $0.name.utf8.elementsEqual(text.utf8.dropFirst(digits.count)) }) else {
            return nil
        }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, parts.allSatisfy({ 1...15 ~= $0.count }) else { return nil }
        var attoseconds: Int128 = 0
        var scale = unit.attoseconds
        for digit in parts[0] {
            attoseconds = attoseconds * 10 + Int128(digit - UInt8(ascii: "0")) * unit.attoseconds
        }
        for digit in parts.dropFirst().joined() {
            guard scale % 10 == 0 else { return nil }
            scale /= 10
            attoseconds += Int128(digit - UInt8(ascii: "0")) * scale
        }
        return Duration(attoseconds: attoseconds)
    }

    /// Returns the text of a duration, or `nil` if it is negative or contains a fraction of a nanosecond.
    package static func write(_ duration: Duration) -> String? {
        let attoseconds = duration.attoseconds
        guard attoseconds >= 0 else { return nil }
        if attoseconds == 0 { return "0s" }
        // One day is written as 24h, and two days are written as 2d.
        let fitting = attoseconds > day ? units : Array(units.dropFirst())
        if let unit = fitting.first(where: { attoseconds % $0.attoseconds == 0 }) {
            return "\(attoseconds / unit.attoseconds)\(unit.name)"
        }
        let nanosecond = second / 1_000_000_000
        guard attoseconds % nanosecond == 0 else { return nil }
        var decimals = String((attoseconds % second) / nanosecond + 1_000_000_000).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return "\(attoseconds / second).\(decimals)s"
    }

    /// Parses a sum of durations: `12s`, `5min` or `5m`, `1h 30min`, `2d`.
    ///
    /// Returns `nil` for any other text, and for more than a million days.
    package static func readSum(_ text: String) -> Duration? {
        guard text.utf8.count <= 64 else { return nil }
        let parts = text.split(separator: " ")
        guard !parts.isEmpty else { return nil }
        var sum = Duration.zero
        for part in parts {
            let written = part.last == "m" ? part + "in" : String(part)
            guard let duration = read(written), duration <= maximum else { return nil }
            sum += duration
        }
        return sum <= maximum ? sum : nil
    }

    /// Returns the text of a non-negative duration, without fractions of a nanosecond.
    package static func writeRounded(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let whole = Duration(
            secondsComponent: seconds,
            attosecondsComponent: attoseconds / 1_000_000_000 * 1_000_000_000
        )
        return write(whole) ?? "0s"
    }

    private static let maximum = Duration.seconds(86_400_000_000)

    /// Returns a regular expression for the durations that ``read(_:)`` accepts, up to a maximum.
    ///
    /// If the maximum is not an integer number of a unit, the expression accepts every fraction after the largest
    /// integer.
    static func pattern(upTo greatest: Duration) -> String {
        let milliseconds = Int(clamping: greatest.attoseconds / (second / 1_000))
        let patterns = [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1)]
            .map { unit, length in
                let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: length)
                let below = "\(numberPattern(below: rest == 0 ? whole : whole + 1))(\\.[0-9]{1,15})?"
                return rest == 0 ? "(\(below)|0*\(whole)(\\.0{1,15})?)\(unit)" : "(\(below))\(unit)"
            }
        return "^(\(patterns.joined(separator: "|")))$"
    }

    /// Returns a regular expression for the integers from 0 that are less than a number.
    private static func numberPattern(below greatest: Int) -> String {
        let digits = Array(String(greatest).utf8.map { Int($0) - 48 })
        var patterns: [String] = []
        var prefix = ""
        for (position, digit) in digits.enumerated() {
            let rest = digits.count - position - 1
            if digit > 0 {
                let range = digit == 1 ? "0" : "[0-\(digit - 1)]"
                patterns.append("\(prefix)\(range)\(rest > 0 ? "[0-9]{\(rest)}" : "")")
            }
            prefix += "\(digit)"
        }
        let shorter = digits.count > 1 ? "[0-9]{1,\(digits.count - 1)}|" : ""
        return "0*(\(shorter)\(patterns.joined(separator: "|")))"
    }
}
