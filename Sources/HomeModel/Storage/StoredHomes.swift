/// Homes as a store has them.
package struct StoredHomes: Sendable, Hashable {
    /// The homes.
    package var homes: Homes
    /// Another number after each change, 0 before the first.
    package var version: UInt64
    /// The number of the last change of who is at home, in any home, that is in them; 0 before the first.
    package var lastPresenceChange: Int64

    /// Takes homes of a version.
    package init(_ homes: Homes = Homes(), version: UInt64 = 0, lastPresenceChange: Int64 = 0) {
        self.homes = homes
        self.version = version
        self.lastPresenceChange = lastPresenceChange
    }
}
