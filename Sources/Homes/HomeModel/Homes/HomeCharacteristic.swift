public import AccessoryModel
public import HAPCore

/// A characteristic of a service, such as its brightness.
public struct HomeCharacteristic: DescribedCharacteristic, Sendable, Hashable {
    /// The instance ID, or `nil` if the accessory was not found yet.
    public var iid: InstanceID?
    /// The type and the metadata.
    public var base: CharacteristicDescription

    /// Creates a characteristic.
    public init(iid: InstanceID? = nil, _ base: CharacteristicDescription) {
        self.iid = iid
        self.base = base
    }
}

extension HomeCharacteristic: Codable {
    private enum CodingKeys: String, CodingKey {
        case iid
    }

    /// Decodes the instance ID and the description from the same object.
    public init(from decoder: any Decoder) throws {
        iid = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(InstanceID.self, forKey: .iid)
        base = try CharacteristicDescription(from: decoder)
    }

    /// Encodes the instance ID and the description into the same object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(iid, forKey: .iid)
        try base.encode(to: encoder)
    }
}
