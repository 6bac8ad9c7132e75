/// Services that are controlled together, such as "reading lamps".
public struct ServiceGroup: Sendable, Hashable {
    /// What tells it from everything else in the home.
    public let id: ObjectID<ServiceGroup>
    /// What people call it; unique among the service groups and the services that are shown.
    public var name: ObjectName
    /// Its services, each once.
    public var services: [ObjectID<HomeService>]

    /// Creates a group.
    public init(id: ObjectID<ServiceGroup>, name: ObjectName, services: [ObjectID<HomeService>] = []) {
        self.id = id
        self.name = name
        self.services = services
    }
}

extension ServiceGroup: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, services
    }
}
