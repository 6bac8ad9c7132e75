public import HAPCore

/// An accessory as its server describes it.
///
/// HAP: §11.4
public struct RemoteAccessory: Sendable, Hashable {
    /// Its number in the server.
    public var aid: AccessoryID
    /// Its functions, in the server's order.
    public var services: [RemoteService]

    /// Creates one.
    public init(aid: AccessoryID, services: [RemoteService]) {
        self.aid = aid
        self.services = services
    }

    /// What people call it; `nil` when it does not say.
    public var name: String? { information(.name) }
    /// Who has made it; `nil` when it does not say.
    public var manufacturer: String? { information(.manufacturer) }
    /// The product; `nil` when it does not say.
    public var model: String? { information(.model) }
    /// Which one of the product it is; `nil` when it does not say.
    public var serialNumber: String? { information(.serialNumber) }
    /// The version of its software; `nil` when it does not say.
    public var firmwareRevision: String? { information(.firmwareRevision) }

    /// A text of its Accessory Information; `nil` for an empty one.
    private func information(_ type: CharacteristicType) -> String? {
        services.first { $0.type == .accessoryInformation }?.text(type)
    }
}
