public import HAPCore

/// A service as described by its server.
///
/// HAP: §11.4
public struct RemoteService: Sendable, Hashable {
    /// The service's id in the accessory.
    public var iid: InstanceID
    /// The type.
    public var type: ServiceType
    /// Whether the service is the accessory's main function.
    public var isPrimary: Bool
    /// Whether the service is hidden from the user.
    public var isHidden: Bool
    /// The ids of the linked services.
    public var linked: [InstanceID]
    /// The characteristics, in the server's order.
    public var characteristics: [RemoteCharacteristic]

    /// Creates a service.
    public init(
        iid: InstanceID,
        type: ServiceType,
        isPrimary: Bool = false,
        isHidden: Bool = false,
        linked: [InstanceID] = [],
        characteristics: [RemoteCharacteristic] = []
    ) {
        self.iid = iid
        self.type = type
        self.isPrimary = isPrimary
        self.isHidden = isHidden
        self.linked = linked
        self.characteristics = characteristics
    }

    /// The display name: the service's own name, or else the name of its type.
    public var name: String { ownName ?? typeName }

    /// The name of the type, or the UUID of a vendor's type.
    public var typeName: String { type.description }

    /// The service's own name, or `nil` if there is none or it is the name of the type.
    ///
    /// The Name in Accessory Information is the name of the accessory, not of the service.
    package var ownName: String? {
        let name = type == .accessoryInformation ? nil : text(.configuredName) ?? text(.name)
        return name == typeName ? nil : name
    }

    /// Returns the string value of a characteristic, or `nil` if it is missing or blank.
    func text(_ type: CharacteristicType) -> String? {
        let text = characteristics.first { $0.base.type == type }?.value?.string
        return text.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }
}
