/// The numbers by which a peer names a characteristic, which may be any: `aid.iid`.
///
/// HAP: §12
package struct CharacteristicAddress: Sendable, Hashable {
    package var aid: UInt64
    package var iid: UInt64

    package init(aid: UInt64, iid: UInt64) {
        self.aid = aid
        self.iid = iid
    }

    package init(_ id: CharacteristicID) {
        self.init(aid: id.aid.rawValue, iid: id.iid.rawValue)
    }

    /// The characteristic that may exist under these numbers, `nil` when one is 0 and none can.
    package var id: CharacteristicID? {
        CharacteristicID(aid, iid)
    }
}

extension CharacteristicAddress: CustomStringConvertible {
    /// `aid.iid` in decimal.
    package var description: String {
        "\(aid).\(iid)"
    }
}
