/// A day of the week, Monday first as in ISO 8601.
public enum Weekday: Int, Sendable, Hashable, CaseIterable {
    /// 1.
    case monday = 1
    /// 2.
    case tuesday
    /// 3.
    case wednesday
    /// 4.
    case thursday
    /// 5.
    case friday
    /// 6.
    case saturday
    /// 7.
    case sunday

    /// Reads the English name or its first three letters, in any case; `nil` for everything else.
    public init?(name: some StringProtocol) {
        let name = name.lowercased()
        guard let known = Self.allCases.first(where: { name == $0.name || name == $0.name.prefix(3) }) else {
            return nil
        }
        self = known
    }

    /// The English name in lower case: `monday`.
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
