/// A day of the week, Monday first as in ISO 8601.
public enum Weekday: Int, Sendable, Hashable, CaseIterable {
    /// Monday, number 1.
    case monday = 1
    /// Tuesday, number 2.
    case tuesday
    /// Wednesday, number 3.
    case wednesday
    /// Thursday, number 4.
    case thursday
    /// Friday, number 5.
    case friday
    /// Saturday, number 6.
    case saturday
    /// Sunday, number 7.
    case sunday

    /// Reads the English name or its first three letters, in any case, and returns `nil` for other texts.
    public init?(name: some StringProtocol) {
        let name = name.lowercased()
        guard let known = Self.allCases.first(where: { name == $0.name || name == $0.name.prefix(3) }) else {
            return nil
        }
        self = known
    }

    /// The English name in lower case, such as `monday`.
    public var name: String {
        switch self {
        case .monday: "monday"
        case .tuesday: "tuesday"
        case .wednesday: "wednesday"
        case .thursday: "thursday"
        case .friday: "friday"
        case .saturday: "saturday"
        case .sunday: "sunday"
        }
    }
}
