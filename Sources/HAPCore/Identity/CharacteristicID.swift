/// What addresses one characteristic in a server: `aid.iid`.
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
