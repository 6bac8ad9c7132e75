public import Documents
internal import HAPCore

/// An event that makes an automation run.
///
/// If daylight saving time skips a time of day, the trigger fires right after the skipped period. If a time of day
/// occurs twice, the trigger fires at the first one.
public enum Trigger<References: HomeReferences>: Sendable, Hashable {
    /// A test becomes true for a characteristic.
    ///
    /// The trigger fires when the test changes from false to true, not while it stays true. The first known value is
    /// not a change. When an accessory is reachable again, its value is compared with its last known value.
    case characteristic(References.Characteristic, CharacteristicTest<References.Value>)
    /// A time of day; the recurrence is ``Recurrence/daily`` or ``Recurrence/weekly(_:)``.
    case timeOfDay(CivilTime, Recurrence)
    /// A date and a time, repeated according to the recurrence.
    case calendar(CivilDateTime, Recurrence)
    /// Sunrise or sunset plus an offset of at most 12 hours; a negative offset is earlier.
    ///
    /// The recurrence is ``Recurrence/daily`` or ``Recurrence/weekly(_:)``, and refers to the day of the sunrise or
    /// sunset.
    case sun(SunEvent, offset: Duration, Recurrence)
    /// A user arrives or leaves.
    case presence(PresenceEvent<References.User>)
    /// A repeated interval of 10 s to 366 days.
    ///
    /// It is counted from `from`, or from the creation of the automation if `from` is `nil`.
    case interval(Duration, from: CivilDateTime?)

    /// Returns the trigger with its references resolved to another kind, or `nil` if the resolver fails for any of
    /// them.
    package func resolved<Resolver: HomeResolver>(by resolver: inout Resolver) -> Trigger<Resolver.To>?
    where Resolver.From == References {
        switch self {
        case .characteristic(let characteristic, let test):
            test.resolved(of: characteristic, by: &resolver).map { .characteristic($0, $1) }
        case .presence(let event): event.resolved { resolver.user($0) }.map { .presence($0) }
        case .timeOfDay(let time, let recurrence): .timeOfDay(time, recurrence)
        case .calendar(let date, let recurrence): .calendar(date, recurrence)
        case .sun(let event, let offset, let recurrence): .sun(event, offset: offset, recurrence)
        case .interval(let interval, let start): .interval(interval, from: start)
        }
    }
}

/// An arrival or a departure of a user.
///
/// Users whose presence is unknown do not count. When an unknown presence becomes known, this is neither an arrival nor
/// a departure.
public enum PresenceEvent<User: Sendable & Hashable>: Sendable, Hashable {
    /// A user arrives while no user is home.
    case firstArrives
    /// A user leaves, and no user is home after that.
    case lastLeaves
    /// A user arrives, and all users are home after that.
    case everyoneArrives
    /// Any user arrives, each time.
    case anyoneArrives
    /// Any user leaves, each time.
    case anyoneLeaves
    /// This user arrives.
    case arrives(User)
    /// This user leaves.
    case leaves(User)

    /// The events without a user, with their names in storage and in files.
    static var keywords: [(String, PresenceEvent)] {
        [
            ("firstArrives", .firstArrives), ("lastLeaves", .lastLeaves), ("everyoneArrives", .everyoneArrives),
            ("anyoneArrives", .anyoneArrives), ("anyoneLeaves", .anyoneLeaves),
        ]
    }

    func resolved<Other>(_ resolve: (User) -> Other?) -> PresenceEvent<Other>? {
        switch self {
        case .firstArrives: .firstArrives
        case .lastLeaves: .lastLeaves
        case .everyoneArrives: .everyoneArrives
        case .anyoneArrives: .anyoneArrives
        case .anyoneLeaves: .anyoneLeaves
        case .arrives(let user): resolve(user).map { .arrives($0) }
        case .leaves(let user): resolve(user).map { .leaves($0) }
        }
    }
}

extension Trigger: Codable where References == HomeIDs {
    private enum CodingKeys: String, CodingKey {
        case characteristic, test, time, date, sun, offset, recurrence, presence, interval, from
    }

    /// Decodes a trigger, and throws an error if its kind is unknown.
    public init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        if let characteristic = try stored.decodeIfPresent(CharacteristicSelector.self, forKey: .characteristic) {
            self = .characteristic(characteristic, try stored.decode(forKey: .test))
        } else if let time = try stored.decodeIfPresent(CivilTime.self, forKey: .time) {
            self = .timeOfDay(time, try stored.decode(forKey: .recurrence))
        } else if let date = try stored.decodeIfPresent(CivilDateTime.self, forKey: .date) {
            self = .calendar(date, try stored.decode(forKey: .recurrence))
        } else if let event = try stored.decodeIfPresent(SunEvent.self, forKey: .sun) {
            let offset = try stored.decodeDuration(forKey: .offset)
            self = .sun(event, offset: offset, try stored.decode(forKey: .recurrence))
        } else if let event = try stored.decodeIfPresent(PresenceEvent<ObjectID<HomeUser>>.self, forKey: .presence) {
            self = .presence(event)
        } else {
            let start = try stored.decodeIfPresent(CivilDateTime.self, forKey: .from)
            self = .interval(try stored.decodeDuration(forKey: .interval), from: start)
        }
    }

    /// Encodes the trigger.
    public func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .characteristic(let characteristic, let test):
            try stored.encode(characteristic, forKey: .characteristic)
            try stored.encode(test, forKey: .test)
        case .timeOfDay(let time, let recurrence):
            try stored.encode(time, forKey: .time)
            try stored.encode(recurrence, forKey: .recurrence)
        case .calendar(let date, let recurrence):
            try stored.encode(date, forKey: .date)
            try stored.encode(recurrence, forKey: .recurrence)
        case .sun(let event, let offset, let recurrence):
            try stored.encode(event, forKey: .sun)
            try stored.encode(offset, forKey: .offset)
            try stored.encode(recurrence, forKey: .recurrence)
        case .presence(let event):
            try stored.encode(event, forKey: .presence)
        case .interval(let interval, let start):
            try stored.encode(interval, forKey: .interval)
            try stored.encodeIfPresent(start, forKey: .from)
        }
    }
}

extension PresenceEvent: KeyedPresence, Codable where User: Codable {
    static var userKeys: [(key: String, make: (User) -> PresenceEvent)] {
        [("arrives", { .arrives($0) }), ("leaves", { .leaves($0) })]
    }

    var keyedUser: (key: String, User)? {
        switch self {
        case .arrives(let user): ("arrives", user)
        case .leaves(let user): ("leaves", user)
        case .firstArrives, .lastLeaves, .everyoneArrives, .anyoneArrives, .anyoneLeaves: nil
        }
    }
}

/// A presence state or event that is stored as a word, or as an object with one key for a user.
protocol KeyedPresence: Codable, Equatable {
    associatedtype User: Codable
    static var keywords: [(String, Self)] { get }
    static var userKeys: [(key: String, make: (User) -> Self)] { get }
    var keyedUser: (key: String, User)? { get }
}

extension KeyedPresence {
    /// Decodes a state or an event, and throws an error if it is unknown.
    public init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            guard let known = Self.keywords.first(where: { $0.0 == word })?.1 else {
                throw decoder.dataCorrupted("an unknown kind of presence")
            }
            self = known
            return
        }
        let stored = try decoder.singleValueContainer().decode([String: User].self)
        guard let found = Self.userKeys.lazy.compactMap({ kind in stored[kind.key].map(kind.make) }).first else {
            throw decoder.dataCorrupted("an unknown kind of presence")
        }
        self = found
    }

    /// Encodes the state or the event.
    public func encode(to encoder: any Encoder) throws {
        var stored = encoder.singleValueContainer()
        if let (key, user) = keyedUser {
            try stored.encode([key: user])
        } else {
            try stored.encode(Self.keywords.first { $0.1 == self }?.0)
        }
    }
}
