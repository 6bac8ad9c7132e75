import Glibc
import HomeModel
import HomeRuntime

/// The time at the beginning of a printed line: a date and a time of day of this machine, such as `2026-11-26 14:03:05`.
struct LineTime: Sendable, Hashable {
    /// The number of seconds since 1970-01-01T00:00Z.
    private let seconds: time_t
    private let milliseconds: Int

    /// The current time.
    static var now: LineTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return LineTime(seconds: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
    }

    private init(seconds: time_t, milliseconds: Int) {
        self.seconds = seconds
        self.milliseconds = milliseconds
    }

    init(_ instant: WallInstant) {
        self.init(seconds: time_t(instant.seconds), milliseconds: 0)
    }

    /// Reads a time in UTC, such as `2026-11-26T13:03:05.250Z`.
    ///
    /// Returns `nil` for anything else.
    init?(_ text: String) {
        let halves = text.split(separator: ".", maxSplits: 1)
        guard text.hasSuffix("Z"),
            let civil = CivilDateTime(halves[0].hasSuffix("Z") ? halves[0].dropLast() : halves[0])
        else { return nil }
        let fraction = halves.count == 2 ? halves[1].dropLast().prefix(3) : ""
        self.init(
            seconds: civil.date.daysSinceEpoch * 86_400 + civil.time.secondOfDay,
            milliseconds: UInt16(fraction).map { Int($0) } ?? 0
        )
    }

    /// The time with its milliseconds, such as `2026-11-26 14:03:05.250`.
    var precise: String { "\(self)." + String(1_000 + milliseconds).dropFirst() }

    /// Returns the time, followed by that of a home in parentheses if its time zone shows another one.
    ///
    /// - Parameters:
    ///   - calendar: The calendar of the home.
    ///   - zone: The time zone of the home, or `nil` if it has none.
    func text(in calendar: FoundationCalendar?, zone: String?) -> String {
        let text = description
        guard let calendar, let zone else { return text }
        let civil = calendar.civil(of: WallInstant(seconds: Int64(seconds)))
        guard Self.text(civil) != text else { return text }
        let isSameDay = text.hasPrefix("\(civil.date)")
        return "\(text) (\(isSameDay ? civil.time.paddedDescription : Self.text(civil)) in \(zone))"
    }
}

extension LineTime: CustomStringConvertible {
    var description: String { Self.text(MachineCalendar().civil(of: WallInstant(seconds: Int64(seconds)))) }

    private static func text(_ civil: CivilDateTime) -> String { "\(civil.date) \(civil.time.paddedDescription)" }

    /// The machine's calendar, without the data of other time zones.
    private struct MachineCalendar: CivilCalendar {
        func utcOffset(at instant: WallInstant) -> Int {
            var time = time_t(instant.seconds)
            var parts = tm()
            localtime_r(&time, &parts)
            return parts.tm_gmtoff
        }
    }
}
