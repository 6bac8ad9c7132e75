internal import Documents
internal import HAPCore

/// Conversions between values and the texts of times and ranges in home files.
package enum HomeText {
    /// The groups of days that have a name.
    static let dayGroups: [(String, WeekdaySet)] = [("workdays", .workdays), ("weekend", .weekend)]
    static let everyDay = "every day"
    /// All words for days.
    static let dayWords =
        dayGroups.map(\.0) + Weekday.allCases.flatMap { [$0.rawValue, String($0.rawValue.prefix(3))] }

    /// Reads a text such as `monday` or `workdays`, and returns `nil` for other texts.
    static func days(_ text: String) -> WeekdaySet? {
        dayGroups.first { $0.0 == text }?.1 ?? Weekday(name: text).map { WeekdaySet([$0]) }
    }

    /// Reads a text such as `day`, `3 weeks` or `month`, and returns `nil` for other texts.
    static func recurrence(_ text: String) -> Recurrence? {
        let parts = text.split(separator: " ")
        guard let unit = parts.last, 1...2 ~= parts.count else { return nil }
        if parts.count == 1 { return unit == "year" ? .yearly : Recurrence.units.first { $0.name == unit }?.make(1) }
        guard parts[0].utf8.count <= 6, let count = Int(parts[0]) else { return nil }
        return Recurrence.units.first { $0.name == unit || "\($0.name)s" == unit }?.make(count)
    }

    /// Reads a text such as `18...24`, `18...` or `...24`, and returns `nil` for other texts.
    static func range(_ text: String) -> NumberRange? {
        guard text.utf8.count <= 128 else { return nil }
        let parts = text.split(separator: "...", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        let limits = parts.map { JSONNumber(decimal: $0) }
        guard zip(parts, limits).allSatisfy({ $0.isEmpty || $1 != nil }) else { return nil }
        return NumberRange(minimum: limits[0], maximum: limits[1])
    }

    /// Reads a number, with or without a percent sign, and returns `nil` for other texts.
    static func limit(_ text: String) -> JSONNumber? {
        text.utf8.count <= 64 ? JSONNumber(decimal: text.last == "%" ? String(text.dropLast()) : text) : nil
    }

    static func text(_ range: NumberRange) -> String {
        "\(range.minimum?.definitionText ?? "")...\(range.maximum?.definitionText ?? "")"
    }

    /// Reads a text such as `sunset`, `sunset + 30min` or `sunrise - 1h`, and returns `nil` for other texts.
    static func sun(_ text: String) -> (SunEvent, Duration)? {
        guard let event = SunEvent.allCases.first(where: { text.hasPrefix($0.rawValue) }) else { return nil }
        var rest = text.dropFirst(event.rawValue.count).drop { $0 == " " }
        guard let sign = rest.first else { return (event, .zero) }
        rest = rest.dropFirst().drop { $0 == " " }
        guard sign == "+" || sign == "-" || sign == "−", let offset = DurationText.readSum(String(rest)) else {
            return nil
        }
        return (event, sign == "+" ? offset : .zero - offset)
    }

    static func text(_ sun: (SunEvent, Duration)) -> String {
        let (event, offset) = sun
        if offset == .zero { return event.rawValue }
        return offset < .zero
            ? "\(event.rawValue) - \(DurationText.writeRounded(.zero - offset))"
            : "\(event.rawValue) + \(DurationText.writeRounded(offset))"
    }

    /// Reads a text such as `07:30`, `sunset` or `sunrise - 30min`, and returns `nil` for other texts.
    static func bound(_ text: String) -> TimeBound? {
        if let time = CivilTime(text) { return .clock(time) }
        return sun(text).map { .sun($0.0, offset: $0.1) }
    }

    static func text(_ bound: TimeBound) -> String {
        switch bound {
        case .clock(let time): time.description
        case .sun(let event, let offset): text((event, offset))
        }
    }
}
