/// Somebody came or went, as it is kept for the engine that runs.
package struct PresenceChange: Sendable, Hashable {
    /// How many are kept, of all homes together.
    package static let maximumCount = 10_000

    /// A number that is greater than that of every change before.
    package let number: Int64
    /// Who.
    package let user: ObjectID<HomeUser>
    /// Whether they are at home since then; `nil` when nobody knows.
    package let isHome: Bool?

    /// Creates a change.
    package init(number: Int64, user: ObjectID<HomeUser>, isHome: Bool?) {
        self.number = number
        self.user = user
        self.isHome = isHome
    }
}
