/// The address of a characteristic on a server: `aid.iid`.
///
/// HAP: §12
public struct CharacteristicID: Sendable, Hashable {
    /// The accessory.
    public let aid: AccessoryID
    /// The characteristic in it.
    public let iid: InstanceID

    /// Creates an address.
    public init(aid: AccessoryID, iid: InstanceID) {
        self.aid = aid
        self.iid = iid
    }

    /// Creates an address, or `nil` when either number is 0.
    public init?(_ aid: UInt64, _ iid: UInt64) {
        guard let aid = AccessoryID(aid), let iid = InstanceID(iid) else { return nil }
        self.init(aid: aid, iid: iid)
    }
}

extension CharacteristicID: Comparable {
    /// Orders by accessory, then by instance.
    @inlinable
    public static func < (lhs: CharacteristicID, rhs: CharacteristicID) -> Bool {
        (lhs.aid.rawValue, lhs.iid.rawValue) < (rhs.aid.rawValue, rhs.iid.rawValue)
    }
}

extension CharacteristicID: CustomStringConvertible {
    /// `aid.iid` in decimal.
    public var description: String {
        "\(aid).\(iid)"
    }
}

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

    private init(unchecked rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The primary accessory: aid 1.
    public static let primary = AccessoryID(unchecked: 1)
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

    private init(unchecked rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The Accessory Information service: iid 1.
    public static let accessoryInformation = InstanceID(unchecked: 1)
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

extension CharacteristicID {
    /// Creates an id from the form `aid.iid`; returns `nil` for any other text.
    public init?(parsing text: some StringProtocol) {
        // Without generic code, this is several times faster.
        let parts = Substring(text).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let aid = UInt64(parts[0]), let iid = UInt64(parts[1]),
            parts.allSatisfy({ $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } })
        else { return nil }
        self.init(aid, iid)
    }
}
