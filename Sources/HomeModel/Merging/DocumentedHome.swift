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

/// What a file says of a service group.
package struct DocumentedGroup: Sendable, Hashable {
    /// What it is called.
    package var name: Placed<ObjectName>
    /// The names of its services.
    package var services: [Placed<String>]

    package init(name: Placed<ObjectName>, services: [Placed<String>]) {
        self.name = name
        self.services = services
    }
}

/// What a file says of a user.
package struct DocumentedUser: Sendable, Hashable {
    /// What they are called.
    package var name: Placed<ObjectName>
    /// What they may do.
    package var role: UserRole
    /// Whether they may do it from elsewhere.
    package var isRemote: Bool

    package init(name: Placed<ObjectName>, role: UserRole, isRemote: Bool = false) {
        self.name = name
        self.role = role
        self.isRemote = isRemote
    }
}
