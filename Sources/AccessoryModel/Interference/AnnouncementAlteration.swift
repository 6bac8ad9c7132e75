/// What an announcement says in place of what holds; `nil` for what it says rightly.
public struct AnnouncementAlteration: Sendable, Hashable {
    /// `c#`, also what HAP does not allow.
    public var configurationNumber: UInt16?
    /// `sf`.
    public var statusFlags: UInt8?
    /// The TCP port.
    public var port: UInt16?

    /// Creates an alteration; without arguments nothing is altered.
    public init(configurationNumber: UInt16? = nil, statusFlags: UInt8? = nil, port: UInt16? = nil) {
        self.configurationNumber = configurationNumber
        self.statusFlags = statusFlags
        self.port = port
    }
}
