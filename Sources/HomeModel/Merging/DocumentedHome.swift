/// What a file says of a home.
package struct DocumentedHome: Sendable, Hashable {
    /// What it is called.
    package var name: Placed<ObjectName>
    /// Whether it is the primary one.
    package var isPrimary = false
    /// Where it is.
    package var place: GeographicPlace?
    /// Its time zone.
    package var timeZone: Placed<String>?
    /// Its rooms, without the one for the entire home.
    package var rooms: [Placed<ObjectName>] = []
    /// Its zones.
    package var zones: [DocumentedZone] = []
    /// Its accessories.
    package var accessories: [DocumentedPlacement] = []
    /// Its service groups.
    package var groups: [DocumentedGroup] = []
    /// Its scenes.
    package var scenes: [DocumentedScene] = []
    /// Its automations.
    package var automations: [DocumentedAutomation] = []
    /// The people with access.
    package var users: [DocumentedUser] = []

    /// Creates a home of which nothing more is said.
    package init(name: Placed<ObjectName>) {
        self.name = name
    }
}
