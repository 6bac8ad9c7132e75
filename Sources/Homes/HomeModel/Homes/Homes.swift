/// All homes of a person, one of which is the primary home.
///
/// Check homes from other sources with ``HomeRules/violations(in:)``; after that, all edits preserve the rules.
public struct Homes: Sendable, Hashable {
    /// The homes, in the order of their creation.
    public internal(set) var homes: [Home]
    /// The home that is used when no home is named; set if there is at least one home.
    public internal(set) var primary: ObjectID<Home>?
    /// The number of the next home's id.
    public internal(set) var nextID: UInt64

    /// Creates homes from their stored parts.
    ///
    /// - Parameter nextID: The number of the next home's id; `nil` means the number after the highest one.
    public init(homes: [Home] = [], primary: ObjectID<Home>? = nil, nextID: UInt64? = nil) {
        self.homes = homes
        self.primary = primary
        self.nextID = nextID ?? Home.number(after: homes.lazy.map(\.id.rawValue).max())
    }

    /// Returns the home with an id, or `nil` if there is none.
    public func home(_ id: ObjectID<Home>) -> Home? {
        homes.first { $0.id == id }
    }

    /// The primary home, or `nil` if there is no home.
    public var primaryHome: Home? {
        primary.flatMap(home)
    }
}
