public import AccessoryModel
public import HAPCore

/// A property of a service, such as its brightness.
public struct HomeCharacteristic: Sendable, Hashable {
    /// Its number in the accessory; `nil` as long as the accessory is not found.
    public var iid: InstanceID?
    /// What it means.
    public var type: CharacteristicType
    /// What may be done with it.
    public var permissions: CharacteristicPermissions
    /// What its values may be.
    public var metadata: CharacteristicMetadata
    /// What the accessory calls it: mostly for vendor types.
    public var description: String?

    /// Creates a characteristic.
    public init(
        iid: InstanceID? = nil,
        type: CharacteristicType,
        permissions: CharacteristicPermissions,
        metadata: CharacteristicMetadata,
        description: String? = nil
    ) {
        self.iid = iid
        self.type = type
        self.permissions = permissions
        self.metadata = metadata
        self.description = description
    }

    /// What people call it: the name of its type, for a vendor's type its description, else the UUID.
    public var name: String { type.name(describedAs: description) }

    /// Its values in people's words.
    package var words: CharacteristicWords {
        CharacteristicWords(type, metadata)
    }
}

extension HomeCharacteristic: Codable {
    private enum CodingKeys: String, CodingKey {
        case iid, type, permissions, metadata, description
    }
}
