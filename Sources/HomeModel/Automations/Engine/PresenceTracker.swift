/// Who is home, as far as anybody knows.
struct PresenceTracker: Sendable, Hashable {
    /// The users of whom it is known.
    private(set) var isHomeByUser: [ObjectID<HomeUser>: Bool] = [:]
    private var homeCount = 0

    /// Takes what is known of a user; returns whether they came or went.
    mutating func update(_ user: ObjectID<HomeUser>, isHome: Bool?) -> Bool {
        let before = isHome.map { isHomeByUser.updateValue($0, forKey: user) } ?? isHomeByUser.removeValue(forKey: user)
        homeCount += (isHome == true ? 1 : 0) - (before == true ? 1 : 0)
        return before != nil && isHome != nil && before != isHome
    }

    /// Whether an event has just happened, a user having come or gone.
    func matches(_ event: PresenceEvent<ObjectID<HomeUser>>, of user: ObjectID<HomeUser>) -> Bool {
        let isHome = isHomeByUser[user] == true
        return switch event {
        case .firstArrives: isHome && homeCount == 1
        case .lastLeaves: !isHome && homeCount == 0
        case .everyoneArrives: isHome && homeCount == isHomeByUser.count
        case .anyoneArrives: isHome
        case .anyoneLeaves: !isHome
        case .arrives(let other): isHome && other == user
        case .leaves(let other): !isHome && other == user
        }
    }

    /// Whether it is so; `nil` when nobody knows.
    func holds(_ state: PresenceState<ObjectID<HomeUser>>) -> Bool? {
        switch state {
        case .anyone: isHomeByUser.isEmpty ? nil : homeCount > 0
        case .noOne: isHomeByUser.isEmpty ? nil : homeCount == 0
        case .everyone: isHomeByUser.isEmpty ? nil : homeCount == isHomeByUser.count
        case .user(let user): isHomeByUser[user]
        }
    }
}
