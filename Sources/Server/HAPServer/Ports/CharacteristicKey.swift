public import AccessoryModel

/// The key of a characteristic in a declaration: its accessory, service and type, before it has an id.
public struct CharacteristicKey: Sendable, Hashable {
    /// The accessory's key.
    public var accessory: String
    /// The service's type and subtype.
    public var service: ServiceKey
    /// The characteristic's type.
    public var type: CharacteristicType

    /// Creates a key.
    public init(accessory: String, service: ServiceKey, type: CharacteristicType) {
        self.accessory = accessory
        self.service = service
        self.type = type
    }
}

extension CharacteristicKey: CustomStringConvertible {
    /// Accessory, service and characteristic by name, such as `Kilgo Garage/Light Bulb/Brightness`.
    public var description: String {
        "\(accessory)/\(service.type)/\(type)"
    }
}
