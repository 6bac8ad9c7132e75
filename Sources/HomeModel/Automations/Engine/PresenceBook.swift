/// Who is home, as far as anybody knows.
struct PresenceBook: Sendable, Hashable {
    /// The users of whom it is known.
    private(set) var known: [ObjectID<HomeUser>: Bool] = [:]
    private var homeCount = 0

    /// Takes what is known of a user; returns whether they came or went.
    mutating func take(_ user: ObjectID<HomeUser>, isHome: Bool?) -> Bool {
        let before = isHome.map { known.updateValue($0, forKey: user) } ?? known.removeValue(forKey: user)
        homeCount += (isHome == true ? 1 : 0) - (before == true ? 1 : 0)
        return before != nil && isHome != nil && before != isHome
    }

    /// Whether an event has just happened, a user having come or gone.
    func isEvent(_ event: PresenceEvent<ObjectID<HomeUser>>, of user: ObjectID<HomeUser>) -> Bool {
        let isHome = known[user] == true
        return switch event {
        case .firstArrives: isHome && homeCount == 1
        case .lastLeaves: !isHome && homeCount == 0
        case .everyoneArrives: isHome && homeCount == known.count
        case .anyoneArrives: isHome
        case .anyoneLeaves: !isHome
        case .arrives(let other): isHome && other == user
        case .leaves(let other): !isHome && other == user
        }
    }

    /// Whether it is so; `nil` when nobody knows.
    func holds(_ state: PresenceState<ObjectID<HomeUser>>) -> Bool? {
        switch state {
        case .anyone: known.isEmpty ? nil : homeCount > 0
        case .noOne: known.isEmpty ? nil : homeCount == 0
        case .everyone: known.isEmpty ? nil : homeCount == known.count
        case .user(let user): known[user]
        }
    }
}
