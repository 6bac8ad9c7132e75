/// A stored arrival or departure of a user, for a running engine.
package struct PresenceChange: Sendable, Hashable {
    /// The maximum number of stored changes, for all homes together.
    package static let maximumCount = 10_000

    /// A number that is greater than that of every earlier change.
    package let number: Int64
    /// The id of the user.
    package let user: ObjectID<HomeUser>
    /// Whether the user is home after the change, or `nil` if it is unknown.
    package let isHome: Bool?

    /// Creates a change.
    package init(number: Int64, user: ObjectID<HomeUser>, isHome: Bool?) {
        self.number = number
        self.user = user
        self.isHome = isHome
    }
}
