package import AccessoryModel
package import Documents
package import HAPCore

/// The parsed content of a home file, with names instead of ids.
///
/// ``HomeMerge`` turns it into homes.
package struct HomeDocument: Sendable, Hashable {
    /// The homes, in the order of the file.
    package var homes: [HomeDescription] = []

    /// The home that a server runs: the primary home, or else the first one.
    package var servedHome: HomeDescription? { homes.first(where: \.isPrimary) ?? homes.first }
}

/// An object in a home file with its name.
package struct Named<Content: Sendable & Hashable>: Sendable, Hashable {
    /// The name.
    package var name: Located<ObjectName>
    /// The content under the name.
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
    /// Whether the home is the primary one.
    package var isPrimary = false
    /// The place of the home.
    package var place: GeographicPlace?
    /// The time zone of the home.
    package var timeZone: Located<String>?
    /// The rooms, without the one for the entire home.
    package var rooms: [Located<ObjectName>] = []
    /// The zones, with the names of their rooms.
    package var zones: [Named<[Located<String>]>] = []
    /// The accessories.
    package var accessories: [Accessory] = []
    /// The service groups, with the names of their services.
    package var groups: [Named<[Located<String>]>] = []
    /// The scenes.
    package var scenes: [Named<SceneContent<HomeNames>>] = []
    /// The automations.
    package var automations: [Named<AutomationRule<HomeNames>>] = []
    /// The users.
    package var users: [Named<UserAccess>] = []

    /// An accessory of a home in a file.
    package struct Accessory: Sendable, Hashable {
        /// The alias of a pairing, or the name of a served accessory.
        package var accessory: Located<String>
        /// The name in the home, or `nil` to leave it unchanged.
        package var name: Located<ObjectName>?
        /// The room, or `nil` to leave it unchanged.
        package var room: Located<String>?
        /// The bridge that the accessory is behind.
        package var bridge: Located<String>?
        /// The device ID of the server that announces the accessory, needed if the name is ambiguous.
        package var deviceID: DeviceID?
        /// The accessory ID in the server; 1 if only the device ID is given.
        package var aid: AccessoryID?
        /// The category, used until the accessory is found.
        package var category: AccessoryCategory?
        /// The accessory file from which the accessory is served, relative to the home file.
        ///
        /// It is not part of a home, so a merge ignores it.
        package var definition: Located<String>?
        /// The services that the file describes.
        package var services: [Service] = []

        /// The location on the network, if the file contains the device ID.
        var reference: AccessoryReference? {
            deviceID.map { AccessoryReference(server: $0, aid: aid ?? .primary) }
        }

        /// The name of the accessory when it is added to a home.
        var initialName: ObjectName? {
            name?.value ?? ObjectName(cleaning: accessory.value)
        }
    }

    /// A service of an accessory of a home in a file.
    package struct Service: Sendable, Hashable {
        /// The service: a type, `Type (2)` for the second service of a type, or a name.
        package var key: Located<String>
        /// The type, if the key is not a type.
        package var type: ServiceType?
        /// The name of the service.
        package var name: Located<ObjectName>?
        /// The room of the service.
        package var room: Located<String>?
        /// The type that the service counts as.
        package var associatedType: Located<ServiceType>?
    }
}
