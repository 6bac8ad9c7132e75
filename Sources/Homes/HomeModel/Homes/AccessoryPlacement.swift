/// The user's choices when an accessory is added to a home; everything else gets a sensible default.
public struct AccessoryPlacement: Sendable, Hashable {
    /// The name of the accessory, or `nil` for its own name.
    public var name: ObjectName?
    /// The room of the accessory.
    public var room: ObjectID<Room>
    /// The bridge of the accessory, if it is behind one.
    public var bridge: ObjectID<HomeAccessory>?
    /// The chosen names of services, by their index in the announced list.
    public var services: [Int: ObjectName]

    /// Creates choices for an accessory.
    public init(
        name: ObjectName? = nil,
        room: ObjectID<Room> = .entireHome,
        bridge: ObjectID<HomeAccessory>? = nil,
        services: [Int: ObjectName] = [:]
    ) {
        self.name = name
        self.room = room
        self.bridge = bridge
        self.services = services
    }

    /// Returns the chosen names of an accessory's services; services without a chosen name are omitted.
    ///
    /// - Parameter accessory: An accessory whose services are in the order in which they are announced.
    package func serviceNames(of accessory: HomeAccessory) -> [ObjectID<HomeService>: ObjectName] {
        var names: [ObjectID<HomeService>: ObjectName] = [:]
        for (index, service) in accessory.services.enumerated() {
            names[service.id] = services[index]
        }
        return names
    }
}
