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
