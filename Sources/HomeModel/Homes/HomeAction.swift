public import AccessoryModel

/// A characteristic and the value that it is to have.
public struct HomeAction: Sendable, Hashable {
    /// The characteristic, which can be written.
    public var characteristic: CharacteristicSelector
    /// One of its values.
    public var value: CharacteristicValue

    /// Creates an action.
    public init(characteristic: CharacteristicSelector, value: CharacteristicValue) {
        self.characteristic = characteristic
        self.value = value
    }
}
