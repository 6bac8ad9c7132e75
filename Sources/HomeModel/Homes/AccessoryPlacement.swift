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
}
