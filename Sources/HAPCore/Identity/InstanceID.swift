/// The number of a service or characteristic in its accessory: `iid`.
///
/// Services and characteristics share the numbers.
///
/// HAP: §11.1
public struct InstanceID: Sendable, Hashable {
    /// Never 0.
    public let rawValue: UInt64

    /// Creates an id, or `nil` for 0.
    public init?(_ rawValue: UInt64) {
        guard rawValue != 0 else { return nil }
        self.rawValue = rawValue
    }

    private init(trusted rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The Accessory Information service: iid 1.
    public static let accessoryInformation = InstanceID(trusted: 1)
}

extension InstanceID: Comparable {
    /// Orders by number.
    public static func < (lhs: InstanceID, rhs: InstanceID) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

extension InstanceID: CustomStringConvertible {
    /// The number in decimal.
    public var description: String {
        String(rawValue)
    }
}
