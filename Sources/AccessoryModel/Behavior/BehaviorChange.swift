/// A characteristic of a behaviour's service with its new value.
public struct BehaviorChange: Sendable, Hashable {
    /// Which characteristic of the service.
    public var type: CharacteristicType
    /// Its value from now on.
    public var value: CharacteristicValue

    /// Creates a change.
    public init(_ type: CharacteristicType, _ value: CharacteristicValue) {
        self.type = type
        self.value = value
    }
}
