package import AccessoryModel
package import Documents
package import HAPCore

/// The parsed form of a home file: names, and no ids.
///
/// ``HomeMerge`` makes homes of it.
package struct HomeDocument: Sendable, Hashable {
    /// The homes of the file, in its order.
    package var homes: [HomeDescription] = []
}

/// Something in a home file under its name.
package struct Named<Content: Sendable & Hashable>: Sendable, Hashable {
    /// The name.
    package var name: Located<ObjectName>
    /// What the file has under it.
    package var content: Content

    package init(_ name: Located<ObjectName>, _ content: Content) {
        self.name = name
        self.content = content
    }
}

/// A home in a file.
package struct HomeDescription: Sendable, Hashable {
    /// The name.
    package var name: Located<ObjectName>
    /// Whether it is the primary one.
    package var isPrimary = false
    /// Where it is.
    package var place: GeographicPlace?
    /// Its time zone.
    package var timeZone: Located<String>?
    /// Its rooms, without the one for the entire home.
    package var rooms: [Located<ObjectName>] = []
    /// Its zones, with the names of their rooms.
    package var zones: [Named<[Located<String>]>] = []
    /// Its accessories.
    package var accessories: [Accessory] = []
    /// Its service groups, with the names of their services.
    package var groups: [Named<[Located<String>]>] = []
    /// Its scenes.
    package var scenes: [Named<SceneContent<HomeNames>>] = []
    /// Its automations.
    package var automations: [Named<AutomationRule<HomeNames>>] = []
    /// Its users.
    package var users: [Named<UserAccess>] = []

    /// An accessory of a home in a file.
    package struct Accessory: Sendable, Hashable {
        /// Which one: the alias of a pairing, or the name of a served accessory.
        package var accessory: Located<String>
        /// Its name in the home; `nil` does not change it.
        package var name: Located<ObjectName>?
        /// The room that it is in; `nil` does not change it.
        package var room: Located<String>?
        /// The accessory that it is behind.
        package var bridge: Located<String>?
        /// The server that announces it, where its name alone is ambiguous.
        package var deviceID: DeviceID?
        /// Its number there; 1 when only the device ID is given.
        package var aid: AccessoryID?
        /// Its category, as long as the accessory is not found.
        package var category: AccessoryCategory?
        /// The services that the file describes.
        package var services: [Service] = []

        /// Where it is, as far as the file says so.
        var reference: AccessoryReference? {
            deviceID.map { AccessoryReference(server: $0, aid: aid ?? .primary) }
        }

        /// Its name in a home that does not have it yet.
        var initialName: ObjectName? {
            name?.value ?? ObjectName(cleaning: accessory.value)
        }
    }

    /// A service of an accessory of a home in a file.
    package struct Service: Sendable, Hashable {
        /// Which one: a type, `Type (2)` for the second of a type, or a name.
        package var key: Located<String>
        /// Its type, where the key is not a type.
        package var type: ServiceType?
        /// Its name.
        package var name: Located<ObjectName>?
        /// The room that it is in.
        package var room: Located<String>?
        /// The type that it counts as.
        package var associatedType: Located<ServiceType>?
    }
}
