package import AccessoryModel
package import HAPCore

/// What a file says of an accessory in a home.
package struct DocumentedPlacement: Sendable, Hashable {
    /// What a file says of a service of an accessory.
    package struct Service: Sendable, Hashable {
        /// Which one: a type, `Type (2)` for the second of a type, or a name.
        package var key: Placed<String>
        /// Its type, where the key does not say it.
        package var type: ServiceType?
        /// What it is called.
        package var name: Placed<ObjectName>?
        /// The room that it is in.
        package var room: Placed<String>?
        /// What it counts as.
        package var associatedType: Placed<ServiceType>?

        package init(
            key: Placed<String>,
            type: ServiceType? = nil,
            name: Placed<ObjectName>? = nil,
            room: Placed<String>? = nil,
            associatedType: Placed<ServiceType>? = nil
        ) {
            self.key = key
            self.type = type
            self.name = name
            self.room = room
            self.associatedType = associatedType
        }
    }

    /// Which one: the alias of a pairing, or the name of what is served.
    package var accessory: Placed<String>
    /// What it is called in the home; `nil` leaves its name.
    package var name: Placed<ObjectName>?
    /// The room that it is in; `nil` leaves it where it is.
    package var room: Placed<String>?
    /// The accessory that it is behind.
    package var bridge: Placed<String>?
    /// Who announces it, where its name alone does not say which one it is.
    package var deviceID: DeviceID?
    /// Its number there; 1 when only the device ID is said.
    package var aid: AccessoryID?
    /// What kind of thing it is, as long as nobody knows it.
    package var category: AccessoryCategory?
    /// Its services, of which something is said.
    package var services: [Service]

    package init(
        accessory: Placed<String>,
        name: Placed<ObjectName>? = nil,
        room: Placed<String>? = nil,
        bridge: Placed<String>? = nil,
        deviceID: DeviceID? = nil,
        aid: AccessoryID? = nil,
        category: AccessoryCategory? = nil,
        services: [Service] = []
    ) {
        self.accessory = accessory
        self.name = name
        self.room = room
        self.bridge = bridge
        self.deviceID = deviceID
        self.aid = aid
        self.category = category
        self.services = services
    }

    /// Where it is, as far as the file says so.
    var reference: AccessoryReference? {
        deviceID.map { AccessoryReference(server: $0, aid: aid ?? .primary) }
    }

    /// What the home calls it unless it has it already.
    var chosenName: ObjectName? {
        name?.value ?? ObjectName(sensibly: accessory.value)
    }
}
