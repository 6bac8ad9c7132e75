/// The known presence of users.
struct PresenceTracker: Sendable, Hashable {
    /// The users whose presence is known; `true` means home.
    private(set) var isHomeByUser: [ObjectID<HomeUser>: Bool] = [:]
    private var homeCount = 0

    /// Updates the presence of a user, and returns whether the user arrived or left.
    mutating func update(_ user: ObjectID<HomeUser>, isHome: Bool?) -> Bool {
        let before = isHome.map { isHomeByUser.updateValue($0, forKey: user) } ?? isHomeByUser.removeValue(forKey: user)
        homeCount += (isHome == true ? 1 : 0) - (before == true ? 1 : 0)
        return before != nil && isHome != nil && before != isHome
    }

    /// Returns whether the last arrival or departure of a user matches an event.
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

    /// Returns whether a state holds, or `nil` if it is unknown.
    func holds(_ state: PresenceState<ObjectID<HomeUser>>) -> Bool? {
        switch state {
        case .anyone: isHomeByUser.isEmpty ? nil : homeCount > 0
        case .noOne: isHomeByUser.isEmpty ? nil : homeCount == 0
        case .everyone: isHomeByUser.isEmpty ? nil : homeCount == isHomeByUser.count
        case .user(let user): isHomeByUser[user]
        }
    }
}
