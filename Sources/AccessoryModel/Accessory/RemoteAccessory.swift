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

    /// The name; `nil` if absent.
    public var name: String? { information(.name) }
    /// The manufacturer; `nil` if absent.
    public var manufacturer: String? { information(.manufacturer) }
    /// The model; `nil` if absent.
    public var model: String? { information(.model) }
    /// The serial number; `nil` if absent.
    public var serialNumber: String? { information(.serialNumber) }
    /// The firmware revision; `nil` if absent.
    public var firmwareRevision: String? { information(.firmwareRevision) }

    /// A text of its Accessory Information; `nil` for an empty one.
    private func information(_ type: CharacteristicType) -> String? {
        services.first { $0.type == .accessoryInformation }?.text(type)
    }
}
