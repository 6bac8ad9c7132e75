public import HAPCore

/// A characteristic as described by its server.
///
/// HAP: §11.4
public struct RemoteCharacteristic: DescribedCharacteristic, Sendable, Hashable {
    /// The characteristic's id in the accessory.
    public var iid: InstanceID
    /// The type, the permissions that HAP defines, and the metadata; missing parts are inferred from the type or the
    /// value.
    public var base: CharacteristicDescription
    /// The value when it was read, or `nil` if it cannot be read or was `null`.
    public var value: CharacteristicValue?

    /// Creates a characteristic.
    public init(iid: InstanceID, _ base: CharacteristicDescription, value: CharacteristicValue? = nil) {
        self.iid = iid
        self.base = base
        self.value = value
    }
}
