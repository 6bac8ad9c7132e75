/// The number of an accessory in its server: `aid`.
///
/// 1 is the primary accessory or the bridge itself.
///
/// HAP: §11.1
public struct AccessoryID: Sendable, Hashable {
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

    /// The primary accessory: aid 1.
    public static let primary = AccessoryID(trusted: 1)
}

extension AccessoryID: Comparable {
    /// Orders by number.
    public static func < (lhs: AccessoryID, rhs: AccessoryID) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

extension AccessoryID: CustomStringConvertible {
    /// The number in decimal.
    public var description: String {
        String(rawValue)
    }
}
