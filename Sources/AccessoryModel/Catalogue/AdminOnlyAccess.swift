/// What only controllers with admin permission may do with a characteristic.
///
/// A rule of the server: it has no permission string, a violation gives −70401.
///
/// HAP: §11.6
public struct AdminOnlyAccess: OptionSet, Sendable, Hashable {
    /// One bit per kind of access.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Reading.
    public static let read = AdminOnlyAccess(rawValue: 0x01)
    /// Writing.
    public static let write = AdminOnlyAccess(rawValue: 0x02)
    /// Subscribing and receiving events.
    public static let notify = AdminOnlyAccess(rawValue: 0x04)
}
