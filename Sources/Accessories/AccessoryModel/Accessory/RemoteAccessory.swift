public import HAPCore

/// An accessory as described by its server.
///
/// HAP: §11.4
public struct RemoteAccessory: Sendable, Hashable {
    /// The accessory's id on the server.
    public var aid: AccessoryID
    /// The services, in the server's order.
    public var services: [RemoteService]

    /// Creates an accessory.
    public init(aid: AccessoryID, services: [RemoteService]) {
        self.aid = aid
        self.services = services
    }

    /// The name, or `nil` if it is missing.
    public var name: String? { information(.name) }
    /// The manufacturer, or `nil` if it is missing.
    public var manufacturer: String? { information(.manufacturer) }
    /// The model, or `nil` if it is missing.
    public var model: String? { information(.model) }
    /// The serial number, or `nil` if it is missing.
    public var serialNumber: String? { information(.serialNumber) }
    /// The firmware revision, or `nil` if it is missing.
    public var firmwareRevision: String? { information(.firmwareRevision) }

    /// Returns a string of the Accessory Information service, or `nil` if it is blank.
    private func information(_ type: CharacteristicType) -> String? {
        services.first { $0.type == .accessoryInformation }?.text(type)
    }
}
