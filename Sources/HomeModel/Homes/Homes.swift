/// All homes of a person, one of which is the primary one.
///
/// What is read from elsewhere goes through ``HomeRules/violations(in:)``; from then on the edits keep every rule.
public struct Homes: Sendable, Hashable {
    /// The homes, in the order of their making.
    public internal(set) var homes: [Home]
    /// The home that is meant when none is named; set whenever there is a home.
    public internal(set) var primary: ObjectID<Home>?
    /// The number of the next home.
    public internal(set) var nextID: UInt64

    /// Creates homes as they were kept.
    ///
    /// - Parameter nextID: `nil` takes the number after the greatest.
    public init(homes: [Home] = [], primary: ObjectID<Home>? = nil, nextID: UInt64? = nil) {
        self.homes = homes
        self.primary = primary
        self.nextID = nextID ?? Home.number(after: homes.lazy.map(\.id.rawValue).max())
    }

    /// The home with this id, `nil` when there is none.
    public func home(_ id: ObjectID<Home>) -> Home? {
        homes.first { $0.id == id }
    }

    /// The primary home, `nil` when there is no home.
    public var primaryHome: Home? {
        primary.flatMap(home)
    }
}
