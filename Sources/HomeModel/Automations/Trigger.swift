internal import HAPCore

/// What an automation waits for.
///
/// When clocks are put forward, a time that they skip occurs as soon as they have skipped it. When they are put back, a
/// time that they show twice is the first of both.
public enum Trigger<References: HomeReferences>: Sendable, Hashable {
    /// A test becomes true for a characteristic.
    ///
    /// The edge counts, not the level, and the first value ever seen is not an edge. When an accessory was unreachable and
    /// is back, its value is compared with the last one that was known.
    case characteristic(References.Characteristic, CharacteristicTest<References.Value>)
    /// A time of day; ``Recurrence/daily`` or ``Recurrence/weekly(_:)``.
    case timeOfDay(CivilTime, Recurrence)
    /// A date and a time, and again as the recurrence says.
    case calendar(CivilDateTime, Recurrence)
    /// Sunrise or sunset, or so much later; earlier when the offset is negative. Within 12 hours.
    /// ``Recurrence/daily`` or ``Recurrence/weekly(_:)`` by the day of the sun's event.
    case sun(SunEvent, offset: Duration, Recurrence)
    /// A user arrives or leaves.
    case presence(PresenceEvent<References.User>)
    /// So much time has passed, again and again: since a moment, or since the automation exists. 10 s to 366 days.
    case interval(Duration, from: CivilDateTime?)

    /// Returns the trigger with other references.
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

/// A user arrives or leaves.
///
/// Users whose presence is unknown do not count. When a presence becomes known, nobody has arrived or left.
public enum PresenceEvent<User: Sendable & Hashable>: Sendable, Hashable {
    /// A user arrives, and no user was home.
    case firstArrives
    /// A user leaves, and no user is home any more.
    case lastLeaves
    /// A user arrives, and now all users are home.
    case everyoneArrives
    /// Any user arrives, each time.
    case anyoneArrives
    /// Any user leaves, each time.
    case anyoneLeaves
    /// This user arrives.
    case arrives(User)
    /// This user leaves.
    case leaves(User)

    /// The events of which no user is named, as they are stored and written in files.
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

    /// Decodes a trigger; throws for one of an unknown kind.
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

/// A kind of presence: stored as a word, or as an object with the key of a user.
protocol KeyedPresence: Codable, Equatable {
    associatedtype User: Codable
    static var keywords: [(String, Self)] { get }
    static var userKeys: [(key: String, make: (User) -> Self)] { get }
    var keyedUser: (key: String, User)? { get }
}

extension KeyedPresence {
    /// Decodes a kind of presence; throws for an unknown one.
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

    /// Encodes the kind of presence.
    public func encode(to encoder: any Encoder) throws {
        var stored = encoder.singleValueContainer()
        if let (key, user) = keyedUser {
            try stored.encode([key: user])
        } else {
            try stored.encode(Self.keywords.first { $0.1 == self }?.0)
        }
    }
}
