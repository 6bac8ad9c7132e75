/// Something that the driver of an accessory, or the device behind it, reports.
public struct DriverEvent: Sendable, Hashable {
    /// The name, such as `started`.
    public var name: String
    /// The details by their names.
    public var details: [String: String]
    /// Whether the user should do something.
    public var isWarning: Bool

    /// Creates an event.
    public init(_ name: String, _ details: [String: String] = [:], isWarning: Bool = false) {
        (self.name, self.details, self.isWarning) = (name, details, isWarning)
    }
}
