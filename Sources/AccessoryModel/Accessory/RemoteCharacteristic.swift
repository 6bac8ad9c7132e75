public import HAPCore

/// A characteristic as its server describes it.
///
/// HAP: §11.4
public struct RemoteCharacteristic: DescribedCharacteristic, Sendable, Hashable {
    /// Its number in the accessory.
    public var iid: InstanceID
    /// The type, the permissions that HAP knows, and the metadata; missing parts follow from the type or the value.
    public var base: CharacteristicDescription
    /// The value at the time of reading; `nil` for what cannot be read, or was `null`.
    public var value: CharacteristicValue?

    /// Creates a characteristic.
    public init(iid: InstanceID, _ base: CharacteristicDescription, value: CharacteristicValue? = nil) {
        self.iid = iid
        self.base = base
        self.value = value
    }
}
