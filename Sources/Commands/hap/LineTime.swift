import Documents
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
        guard let match = text.wholeMatch(of: #/([-0-9]+T[:0-9]+)(?:\.([0-9]{1,9}))?Z/#),
            let civil = CivilDateTime(match.1)
        else { return nil }
        let fraction = (match.2.map { String($0) } ?? "") + "000"
        self.init(
            seconds: civil.date.daysSinceEpoch * 86_400 + civil.time.secondOfDay,
            milliseconds: Int(fraction.prefix(3)) ?? 0
        )
    }

    /// The time with its milliseconds, such as `2026-11-26 14:03:05.250`.
    var precise: String { "\(self)." + String(1_000 + milliseconds).dropFirst() }

    /// Returns the time, followed in parentheses by the time of a home if it differs, because of its time zone or because
    /// its time is simulated.
    ///
    /// - Parameters:
    ///   - instant: The time on the clock of the home.
    ///   - calendar: The calendar of the home, or `nil` before a home is known.
    ///   - zone: The time zone of the home, or `nil` if it has none.
    func text(of instant: WallInstant, in calendar: FoundationCalendar?, zone: String?) -> String {
        // The clock of a home and that of the machine are read one after the other.
        let isSimulated = abs(instant.seconds - Int64(seconds)) > 1
        let calendar: any CivilCalendar = if let calendar { calendar } else { MachineCalendar() }
        let civil = calendar.civil(of: isSimulated ? instant : WallInstant(seconds: Int64(seconds)))
        let (own, text) = (description, Self.text(civil))
        guard text != own else { return own }
        let shown = own.hasPrefix("\(civil.date)") ? civil.time.paddedDescription : text
        let notes = [zone.map { "in \($0)" }, isSimulated ? "simulated" : nil].compactMap(\.self)
        return "\(own) (\(shown)\(notes.isEmpty ? "" : " ")\(notes.joined(separator: ", ")))"
    }
}

extension LineTime: CustomStringConvertible {
    var description: String { Self.text(MachineCalendar().civil(of: WallInstant(seconds: Int64(seconds)))) }

    private static func text(_ civil: CivilDateTime) -> String { "\(civil.date) \(civil.time.paddedDescription)" }

    /// The machine's calendar, without the data of other time zones.
    fileprivate struct MachineCalendar: CivilCalendar {
        func utcOffset(at instant: WallInstant) -> Int {
            var time = time_t(instant.seconds)
            var parts = tm()
            localtime_r(&time, &parts)
            return parts.tm_gmtoff
        }
    }
}
