public import AccessoryModel

/// A characteristic as a home names it: a service of the home, and what it means there.
///
/// It holds when the accessory is paired anew and its numbers are others.
public struct CharacteristicSelector: Sendable, Hashable {
    /// The service.
    public var service: ObjectID<HomeService>
    /// The characteristic in it.
    public var type: CharacteristicType

    /// Creates a selector.
    public init(service: ObjectID<HomeService>, type: CharacteristicType) {
        self.service = service
        self.type = type
    }
}

extension CharacteristicSelector: Codable {
    private enum CodingKeys: String, CodingKey {
        case service, type
    }
}
