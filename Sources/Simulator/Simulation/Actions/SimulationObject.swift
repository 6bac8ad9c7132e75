package import AccessoryModel
package import HAPCore

/// An object that a target refers to: a server, or a part of one.
package enum SimulationObject: Sendable, Hashable {
    /// The server with this number.
    case server(Int)
    /// An accessory of a server.
    case accessory(server: Int, AccessoryID)
    /// A service of an accessory.
    case service(server: Int, AccessoryID, ServiceKey)
    /// A characteristic.
    case characteristic(ServerCharacteristicID)

    /// The kind of object.
    package var kind: NameLevel {
        switch self {
        case .server: .server
        case .accessory: .accessory
        case .service: .service
        case .characteristic: .characteristic
        }
    }

    /// The number of the object's server.
    package var server: Int {
        switch self {
        case .server(let server), .accessory(let server, _), .service(let server, _, _): server
        case .characteristic(let place): place.server
        }
    }
}

/// A characteristic of one of several servers.
package struct ServerCharacteristicID: Sendable, Hashable {
    /// The number of the server.
    package var server: Int
    /// The id of the characteristic in the server.
    package var id: CharacteristicID

    /// Creates an id.
    package init(server: Int, _ id: CharacteristicID) {
        self.server = server
        self.id = id
    }
}
