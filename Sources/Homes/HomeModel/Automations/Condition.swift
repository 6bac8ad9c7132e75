public import Documents
internal import HAPCore

/// A condition that must hold for an automation to run when one of its triggers fires.
///
/// If the engine cannot know whether a condition holds, for example because a value is unknown, neither the condition
/// nor its negation holds.
public indirect enum Condition<References: HomeReferences>: Sendable, Hashable {
    /// All of these conditions hold; at least one is required.
    case all([Condition])
    /// Any of these conditions holds; at least one is required.
    case any([Condition])
    /// The condition does not hold.
    case not(Condition)
    /// A test holds for the current value of a characteristic; ``CharacteristicTest/changes`` is not allowed.
    case characteristic(References.Characteristic, CharacteristicTest<References.Value>)
    /// The time is `from` or later, and before `to`; a window whose end is earlier in the day than its start passes
    /// midnight.
    ///
    /// If the sun does not rise on a day, every time is between sunset and sunrise. If the sun does not set, no time is
    /// between them.
    case time(from: TimeBound, to: TimeBound)
    /// The day of the week is one of these.
    case days(WeekdaySet)
    /// Certain users are home, or no user is.
    case presence(PresenceState<References.User>)

    /// Returns the condition with its references resolved to another kind, or `nil` if the resolver fails for any of
    /// them.
    package func resolved<Resolver: HomeResolver>(by resolver: inout Resolver) -> Condition<Resolver.To>?
    where Resolver.From == References {
        switch self {
        case .all(let parts): resolver.resolveAll(parts) { $0.resolved(by: &$1) }.map { .all($0) }
        case .any(let parts): resolver.resolveAll(parts) { $0.resolved(by: &$1) }.map { .any($0) }
        case .not(let part): part.resolved(by: &resolver).map { .not($0) }
        case .characteristic(let characteristic, let test):
            test.resolved(of: characteristic, by: &resolver).map { .characteristic($0, $1) }
        case .presence(let state): state.resolved { resolver.user($0) }.map { .presence($0) }
        case .time(let start, let end): .time(from: start, to: end)
        case .days(let days): .days(days)
        }
    }
}

/// The start or the end of a time window on a day.
public enum TimeBound: Sendable, Hashable {
    /// A time of day.
    case clock(CivilTime)
    /// Sunrise or sunset plus an offset of at most 12 hours; a negative offset is earlier.
    case sun(SunEvent, offset: Duration)
}

/// A condition on which users are home.
///
/// Users whose presence is unknown do not count. If the presence of all users is unknown, the state is unknown.
public enum PresenceState<User: Sendable & Hashable>: Sendable, Hashable {
    /// At least one user is home.
    case anyone
    /// No user is home.
    case noOne
    /// All users are home.
    case everyone
    /// This user is home.
    case user(User)

    /// The states without a user, with their names in storage and in files.
    static var keywords: [(String, PresenceState)] {
        [("anyone", .anyone), ("noOne", .noOne), ("everyone", .everyone)]
    }

    func resolved<Other>(_ resolve: (User) -> Other?) -> PresenceState<Other>? {
        switch self {
        case .anyone: .anyone
        case .noOne: .noOne
        case .everyone: .everyone
        case .user(let user): resolve(user).map { .user($0) }
        }
    }
}

extension Condition {
    /// The maximum depth of nested conditions.
    public static var maximumDepth: Int { 8 }
    /// The maximum number of conditions in a condition, itself included.
    public static var maximumCount: Int { 64 }

    /// Whether the condition is within the limits for depth and count.
    var isWithinLimits: Bool {
        var count = 0
        return fitsLimits(depth: 1, counting: &count)
    }

    private func fitsLimits(depth: Int, counting count: inout Int) -> Bool {
        count += 1
        guard depth <= Self.maximumDepth, count <= Self.maximumCount else { return false }
        switch self {
        case .all(let parts), .any(let parts):
            for part in parts {
                guard part.fitsLimits(depth: depth + 1, counting: &count) else { return false }
            }
            return true
        case .not(let part):
            return part.fitsLimits(depth: depth + 1, counting: &count)
        case .characteristic, .time, .days, .presence:
            return true
        }
    }
}

extension Condition: Codable where References == HomeIDs {
    private enum CodingKeys: String, CodingKey {
        case all, any, not, characteristic, test, after, before, days, presence
    }

    /// Decodes a condition, and throws an error if its kind is unknown or if it is nested far too deeply.
    public init(from decoder: any Decoder) throws {
        // The rules allow less depth; this check only bounds the recursion.
        guard decoder.codingPath.count <= 8 * Self.maximumDepth else {
            throw decoder.dataCorrupted("a condition too deep")
        }
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        if let parts = try stored.decodeIfPresent([Condition].self, forKey: .all) {
            self = .all(parts)
        } else if let parts = try stored.decodeIfPresent([Condition].self, forKey: .any) {
            self = .any(parts)
        } else if let part = try stored.decodeIfPresent(Condition.self, forKey: .not) {
            self = .not(part)
        } else if let characteristic = try stored.decodeIfPresent(CharacteristicSelector.self, forKey: .characteristic)
        {
            self = .characteristic(characteristic, try stored.decode(forKey: .test))
        } else if let start = try stored.decodeIfPresent(TimeBound.self, forKey: .after) {
            self = .time(from: start, to: try stored.decode(forKey: .before))
        } else if let days = try stored.decodeIfPresent(WeekdaySet.self, forKey: .days) {
            self = .days(days)
        } else {
            self = .presence(try stored.decode(forKey: .presence))
        }
    }

    /// Encodes the condition.
    public func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .all(let parts): try stored.encode(parts, forKey: .all)
        case .any(let parts): try stored.encode(parts, forKey: .any)
        case .not(let part): try stored.encode(part, forKey: .not)
        case .characteristic(let characteristic, let test):
            try stored.encode(characteristic, forKey: .characteristic)
            try stored.encode(test, forKey: .test)
        case .time(let start, let end):
            try stored.encode(start, forKey: .after)
            try stored.encode(end, forKey: .before)
        case .days(let days): try stored.encode(days, forKey: .days)
        case .presence(let state): try stored.encode(state, forKey: .presence)
        }
    }
}

extension TimeBound: Codable {
    private enum CodingKeys: String, CodingKey {
        case clock, sun, offset
    }

    /// Decodes a bound.
    public init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        if let event = try stored.decodeIfPresent(SunEvent.self, forKey: .sun) {
            self = .sun(event, offset: try stored.decodeDuration(forKey: .offset))
        } else {
            self = .clock(try stored.decode(forKey: .clock))
        }
    }

    /// Encodes the bound.
    public func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .clock(let time): try stored.encode(time, forKey: .clock)
        case .sun(let event, let offset):
            try stored.encode(event, forKey: .sun)
            try stored.encode(offset, forKey: .offset)
        }
    }
}

extension PresenceState: KeyedPresence, Codable where User: Codable {
    static var userKeys: [(key: String, make: (User) -> PresenceState)] { [("user", { .user($0) })] }

    var keyedUser: (key: String, User)? {
        if case .user(let user) = self { ("user", user) } else { nil }
    }
}
