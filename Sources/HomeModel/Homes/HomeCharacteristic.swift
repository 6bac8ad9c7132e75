public import AccessoryModel
public import HAPCore

/// A property of a service, such as its brightness.
public struct HomeCharacteristic: DescribedCharacteristic, Sendable, Hashable {
    /// Its number in the accessory; `nil` as long as the accessory is not found.
    public var iid: InstanceID?
    /// What it is.
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

    /// Decodes the number, and the description beside it.
    public init(from decoder: any Decoder) throws {
        iid = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(InstanceID.self, forKey: .iid)
        base = try CharacteristicDescription(from: decoder)
    }

    /// Encodes the number, and the description beside it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(iid, forKey: .iid)
        try base.encode(to: encoder)
    }
}
