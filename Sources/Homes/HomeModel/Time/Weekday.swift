public import Documents

/// A day of the week, Monday first as in ISO 8601, with its English name in lower case.
public enum Weekday: String, Sendable, Hashable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Reads the English name or its first three letters, in any case, and returns `nil` for other texts.
    public init?(name: some StringProtocol) {
        let name = name.lowercased()
        guard let known = Self.allCases.first(where: { name == $0.rawValue || name == $0.rawValue.prefix(3) }) else {
            return nil
        }
        self = known
    }
}

extension CivilDate {
    /// The day of the week.
    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let index = (daysSinceEpoch + 3) % 7
        return Weekday.allCases[index < 0 ? index + 7 : index]
    }
}
