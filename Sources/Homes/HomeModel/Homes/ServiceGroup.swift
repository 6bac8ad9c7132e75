/// Services that are controlled together, such as "reading lamps".
public struct ServiceGroup: NamedObject, Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<ServiceGroup>
    /// The name, unique among the service groups and visible services.
    public var name: ObjectName
    /// The services, without duplicates.
    public var services: [ObjectID<HomeService>] = []
}

extension ServiceGroup: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, services
    }
}
