/// Services that are controlled together, such as "reading lamps".
public struct ServiceGroup: Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<ServiceGroup>
    /// The name, unique among the service groups and visible services.
    public var name: ObjectName
    /// The services, without duplicates.
    public var services: [ObjectID<HomeService>] = []
}

extension ServiceGroup: Codable {}
