public import AccessoryModel

/// Names a characteristic before it has an id: by accessory, service and type.
public struct CharacteristicReference: Sendable, Hashable {
    /// The accessory's key.
    public var accessory: String
    /// The service's type and subtype.
    public var service: ServiceKey
    /// The characteristic's type.
    public var type: CharacteristicType

    /// Creates a reference.
    public init(accessory: String, service: ServiceKey, type: CharacteristicType) {
        self.accessory = accessory
        self.service = service
        self.type = type
    }
}

extension CharacteristicReference: CustomStringConvertible {
    /// Accessory, service and characteristic by name, such as `Kilgo Garage/Light Bulb/Brightness`.
    public var description: String {
        "\(accessory)/\(service.type)/\(type)"
    }
}
