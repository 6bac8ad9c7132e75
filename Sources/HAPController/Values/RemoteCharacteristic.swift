public import AccessoryModel
public import HAPCore

/// A characteristic as its server describes it.
///
/// HAP: §11.4
public struct RemoteCharacteristic: Sendable, Hashable {
    /// Its number in the accessory.
    public var iid: InstanceID
    /// What it means.
    public var type: CharacteristicType
    /// What may be done with it, as far as HAP knows the words.
    public var permissions: CharacteristicPermissions
    /// What its values may be; where the accessory does not say it in HAP's words, what its type or its value tells.
    public var metadata: CharacteristicMetadata
    /// What the accessory calls it.
    public var description: String?
    /// The value at the time of reading; `nil` for what cannot be read, or was `null`.
    public var value: CharacteristicValue?

    /// Creates one.
    public init(
        iid: InstanceID,
        type: CharacteristicType,
        permissions: CharacteristicPermissions,
        metadata: CharacteristicMetadata,
        description: String? = nil,
        value: CharacteristicValue? = nil
    ) {
        self.iid = iid
        self.type = type
        self.permissions = permissions
        self.metadata = metadata
        self.description = description
        self.value = value
    }
}
