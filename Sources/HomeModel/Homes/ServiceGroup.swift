/// Services that are controlled together, such as "reading lamps".
public struct ServiceGroup: NamedObject, Sendable, Hashable {
    /// What tells it from everything else in the home.
    public let id: ObjectID<ServiceGroup>
    /// What people call it; unique among the service groups and the services that are shown.
    public var name: ObjectName
    /// Its services, each once.
    public var services: [ObjectID<HomeService>] = []
}

extension ServiceGroup: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, services
    }
}
