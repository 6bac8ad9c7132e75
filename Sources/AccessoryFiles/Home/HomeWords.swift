internal import HomeModel

/// The words of home files.
enum HomeWords {
    static let kinds: [(String, SceneKind)] = SceneKind.allCases.map { ($0.rawValue, $0) }
    static let roles: [(String, UserRole)] = UserRole.allCases.map { ($0.rawValue, $0) }
    static let events: [(String, DocumentedTrigger)] = [
        ("firstArrives", .firstArrives), ("lastLeaves", .lastLeaves), ("everyoneArrives", .everyoneArrives),
    ]
    static let states: [(String, DocumentedCondition)] = [
        ("anyone", .anyone), ("noOne", .noOne), ("everyone", .everyone),
    ]
    /// Days that have a word together.
    static let dayGroups: [(String, WeekdaySet)] = [("workdays", .workdays), ("weekend", .weekend)]
    static let everyDay = "every day"

    /// Reads `monday`, `workdays`; `nil` for anything else.
    static func days(_ text: String) -> WeekdaySet? {
        dayGroups.first { $0.0 == text }?.1 ?? Weekday(name: text).map { WeekdaySet([$0]) }
    }

    /// Reads `day`, `3 weeks`, `month`; `nil` for anything else.
    static func recurrence(_ text: String) -> Recurrence? {
        let parts = text.split(separator: " ")
        guard let unit = parts.last, 1...2 ~= parts.count else { return nil }
        if parts.count == 1 {
            switch unit {
            case "day": return .everyDays(1)
            case "week": return .everyWeeks(1)
            case "month": return .everyMonths(1)
            case "year": return .yearly
            default: return nil
            }
        }
        guard parts[0].utf8.count <= 6, let count = Int(parts[0]) else { return nil }
        switch unit {
        case "day", "days": return .everyDays(count)
        case "week", "weeks": return .everyWeeks(count)
        case "month", "months": return .everyMonths(count)
        default: return nil
        }
    }

    /// Reads `sunset`, `sunset + 30min`, `sunrise - 1h`; `nil` for anything else.
    static func sun(_ text: String) -> (SunEvent, Duration)? {
        guard let event = SunEvent.allCases.first(where: { text.hasPrefix($0.rawValue) }) else { return nil }
        var rest = text.dropFirst(event.rawValue.count).drop { $0 == " " }
        guard let sign = rest.first else { return (event, .zero) }
        rest = rest.dropFirst().drop { $0 == " " }
        guard sign == "+" || sign == "-" || sign == "−", let offset = duration(String(rest)) else { return nil }
        return (event, sign == "+" ? offset : .zero - offset)
    }

    static func text(_ event: SunEvent, _ offset: Duration) -> String {
        if offset == .zero { return event.rawValue }
        return offset < .zero
            ? "\(event.rawValue) - \(text(.zero - offset))" : "\(event.rawValue) + \(text(offset))"
    }

    /// Reads `07:30`, `sunset` or `sunrise - 30min`; `nil` for anything else.
    static func bound(_ text: String) -> TimeBound? {
        if let time = CivilTime(text) { return .clock(time) }
        return sun(text).map { .sun($0.0, offset: $0.1) }
    }

    static func text(_ bound: TimeBound) -> String {
        switch bound {
        case .clock(let time): time.description
        case .sun(let event, let offset): text(event, offset)
        }
    }

    /// Reads `12s`, `5min` or `5m`, `1h 30min`, `2d`; `nil` for anything else, and for more than a million days.
    static func duration(_ text: String) -> Duration? {
        guard text.utf8.count <= 64 else { return nil }
        let parts = text.split(separator: " ")
        guard !parts.isEmpty else { return nil }
        var sum = Duration.zero
        for part in parts {
            let read: Duration?
            switch part.last {
            case "m": read = DurationText.read(part + "in")
            default: read = DurationText.read(String(part))
            }
            guard let read, read <= longest else { return nil }
            sum += read
        }
        return sum <= longest ? sum : nil
    }

    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        // No file tells less than a nanosecond.
        let whole = Duration(
            secondsComponent: seconds,
            attosecondsComponent: attoseconds / 1_000_000_000 * 1_000_000_000
        )
        return DurationText.write(whole) ?? "0s"
    }

    private static let longest = Duration.seconds(86_400_000_000)
}
