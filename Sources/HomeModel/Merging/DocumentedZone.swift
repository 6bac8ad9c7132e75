/// What a file says of a zone.
package struct DocumentedZone: Sendable, Hashable {
    /// What it is called.
    package var name: Placed<ObjectName>
    /// The names of its rooms.
    package var rooms: [Placed<String>]

    package init(name: Placed<ObjectName>, rooms: [Placed<String>]) {
        self.name = name
        self.rooms = rooms
    }
}
