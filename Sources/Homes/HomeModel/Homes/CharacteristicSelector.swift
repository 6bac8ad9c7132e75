public import AccessoryModel

/// A reference to a characteristic by a service of the home and the type of the characteristic.
///
/// It stays valid when the accessory is paired again and its instance IDs change.
public struct CharacteristicSelector: Sendable, Hashable {
    /// The id of the service.
    public var service: ObjectID<HomeService>
    /// The type of the characteristic in the service.
    public var type: CharacteristicType

    /// Creates a selector.
    public init(service: ObjectID<HomeService>, type: CharacteristicType) {
        self.service = service
        self.type = type
    }
}

extension CharacteristicSelector: Codable {}
