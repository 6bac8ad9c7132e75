package import AccessoryModel
package import HAPCore

/// How much of a server a fault concerns.
package enum FaultScope: Sendable, Hashable {
    /// All of it.
    case server
    /// One accessory.
    case accessory(AccessoryID)
    /// One service of an accessory.
    case service(AccessoryID, ServiceKey)
    /// One characteristic.
    case characteristic(CharacteristicID)

    /// Which of the four it is.
    package var kind: Kind {
        switch self {
        case .server: .server
        case .accessory: .accessory
        case .service: .service
        case .characteristic: .characteristic
        }
    }

    /// What a fault can be put on.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case server, accessory, service, characteristic
    }
}

extension FaultScope: CustomStringConvertible {
    /// Where it is in ids, such as `accessory 2` or `characteristic 2.10`.
    package var description: String {
        switch self {
        case .server: "the server"
        case .accessory(let aid): "accessory \(aid)"
        case .service(let aid, let key): "service \(key.type) of accessory \(aid)"
        case .characteristic(let id): "characteristic \(id)"
        }
    }
}
