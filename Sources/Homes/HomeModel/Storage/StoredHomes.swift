/// The homes in a store, with their version.
package struct StoredHomes: Sendable, Hashable {
    /// The homes.
    package var homes: Homes
    /// The version, which differs after each change; 0 before the first one.
    package var version: UInt64
    /// The number of the last presence change, in any home, that these homes include; 0 before the first one.
    package var lastPresenceChange: Int64

    /// Creates homes with their version.
    package init(_ homes: Homes = Homes(), version: UInt64 = 0, lastPresenceChange: Int64 = 0) {
        self.homes = homes
        self.version = version
        self.lastPresenceChange = lastPresenceChange
    }
}
