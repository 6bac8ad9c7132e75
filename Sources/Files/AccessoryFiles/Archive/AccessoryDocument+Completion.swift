internal import AccessoryModel
internal import HAPCore

extension AccessoryDocument {
    /// Returns the document with everything that HAS requires in a file.
    ///
    /// - Parameter note: Receives the path and the reason of each value that was generated.
    func completedForHAS(_ note: (_ path: String, _ reason: String) -> Void) -> AccessoryDocument {
        var document = self
        if let position = accessories.firstIndex(where: { $0.aid == .primary }), position > 0 {
            note(
                accessories[position].key,
                "the accessory with the id 1 must come first in a .hasaccessory file; it is moved there"
            )
            document.accessories.insert(document.accessories.remove(at: position), at: 0)
        }
        if let aid = document.accessories[0].aid, aid != .primary {
            note(
                document.accessories[0].key,
                "the first accessory of a .hasaccessory file must have the id 1, not \(aid); 1 is used"
            )
            document.accessories[0].aid = .primary
        }
        let first = document.accessories[0].key
        document.addProtocolInformation { note(first, $0) }
        let derived = DerivedIdentity(key: key)
        if document.deviceID == nil {
            document.deviceID = derived.deviceID
            note(
                "deviceID",
                "a .hasaccessory file needs a device ID; \(derived.deviceID?.text ?? "") is derived from the id"
            )
        }
        if document.setupID == nil {
            document.setupID = derived.setupID
            note(
                "setupID",
                "a .hasaccessory file needs a setup ID; \(derived.setupID?.text ?? "") is derived from the id"
            )
        }
        if document.setupCode == nil {
            note(
                "setupCode",
                "a .hasaccessory file needs a setup code; add \"setupCode\", or HomeKit Accessory Simulator reports "
                    + "that it is missing"
            )
        }
        return document
    }
}
