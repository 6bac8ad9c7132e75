/// What people decide when an accessory comes into their home; what they leave open is chosen sensibly.
public struct AccessoryPlacement: Sendable, Hashable {
    /// What is decided for one service.
    public struct Service: Sendable, Hashable {
        /// What it is called; `nil` takes what it calls itself.
        public var name: ObjectName?
        /// The room that it is in; `nil` is its accessory's.
        public var room: ObjectID<Room>?

        /// Creates a decision.
        public init(name: ObjectName? = nil, room: ObjectID<Room>? = nil) {
            self.name = name
            self.room = room
        }
    }

    /// What the accessory is called; `nil` takes what it calls itself.
    public var name: ObjectName?
    /// The room that it is in.
    public var room: ObjectID<Room>
    /// The accessory that it is behind.
    public var bridge: ObjectID<HomeAccessory>?
    /// What is decided for its services, by their place in the announced list.
    public var services: [Int: Service]

    /// Creates decisions.
    public init(
        name: ObjectName? = nil,
        room: ObjectID<Room> = .entireHome,
        bridge: ObjectID<HomeAccessory>? = nil,
        services: [Int: Service] = [:]
    ) {
        self.name = name
        self.room = room
        self.bridge = bridge
        self.services = services
    }

    /// What the services of an accessory are called by it, those of which it says something.
    ///
    /// - Parameter accessory: One whose services stand in the order in which they are announced.
    package func serviceNames(of accessory: HomeAccessory) -> [ObjectID<HomeService>: ObjectName] {
        var names: [ObjectID<HomeService>: ObjectName] = [:]
        for (index, service) in accessory.services.enumerated() {
            names[service.id] = services[index]?.name
        }
        return names
    }
}
