package import AccessoryModel
package import HAPCore

/// What a target means: a part of one of the servers.
package enum SimulationObject: Sendable, Hashable {
    /// The server at this place, from 0.
    case server(Int)
    /// An accessory of it.
    case accessory(server: Int, AccessoryID)
    /// A service of an accessory.
    case service(server: Int, AccessoryID, ServiceKey)
    /// A characteristic.
    case characteristic(ServerCharacteristicID)

    /// What kind of thing it is.
    package var kind: NameLevel {
        switch self {
        case .server: .server
        case .accessory: .accessory
        case .service: .service
        case .characteristic: .characteristic
        }
    }

    /// The place of its server among the servers, from 0.
    package var server: Int {
        switch self {
        case .server(let server), .accessory(let server, _), .service(let server, _, _): server
        case .characteristic(let place): place.server
        }
    }
}

/// A characteristic of one of several servers.
package struct ServerCharacteristicID: Sendable, Hashable {
    /// The server's place among the servers, from 0.
    package var server: Int
    /// The characteristic in it.
    package var id: CharacteristicID

    /// Creates a place.
    package init(server: Int, _ id: CharacteristicID) {
        self.server = server
        self.id = id
    }
}
