public import HAPCore

/// A service as its server describes it.
///
/// HAP: §11.4
public struct RemoteService: Sendable, Hashable {
    /// Its number in the accessory.
    public var iid: InstanceID
    /// The type.
    public var type: ServiceType
    /// Whether it is the accessory's main function.
    public var isPrimary: Bool
    /// Whether people do not see it.
    public var isHidden: Bool
    /// The services that it belongs with.
    public var linked: [InstanceID]
    /// Its properties, in the server's order.
    public var characteristics: [RemoteCharacteristic]

    /// Creates one.
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

    /// The name for people: the one that was given to it, otherwise the accessory's, otherwise that of its type.
    public var name: String { ownName ?? typeName }

    /// The name of its type, for a vendor's type the UUID.
    public var typeName: String { type.description }

    /// The name if it says more than the type; `nil` if there is none.
    ///
    /// The Name in Accessory Information is the accessory's, not the service's.
    package var ownName: String? {
        let name = type == .accessoryInformation ? nil : text(.configuredName) ?? text(.name)
        return name == typeName ? nil : name
    }

    /// The value of a characteristic that holds a text; `nil` for an empty one.
    func text(_ type: CharacteristicType) -> String? {
        let text = characteristics.first { $0.base.type == type }?.value?.string
        return text.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }
}
