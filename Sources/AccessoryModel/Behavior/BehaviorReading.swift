/// Something that a simulated device is doing and that HAP does not carry.
public struct BehaviorReading: Sendable, Hashable {
    /// What is read, such as `position`.
    public var name: String
    /// The reading.
    public var value: Double
    /// The unit, such as `%`.
    public var unit: String

    /// Creates a reading.
    public init(_ name: String, _ value: Double, unit: String) {
        self.name = name
        self.value = value
        self.unit = unit
    }
}
