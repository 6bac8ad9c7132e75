internal import AccessoryModel
internal import HAPCore

extension AccessoryDocument {
    /// The document with what HAS wants of every file; `note` is told what had to be made up, and where.
    func completedForHAS(_ note: (_ path: String, _ reason: String) -> Void) -> AccessoryDocument {
        var document = self
        if let position = accessories.firstIndex(where: { $0.aid == .primary }), position > 0 {
            note(accessories[position].key, "the accessory with the id 1 comes first in such a file; it is put there")
            document.accessories.insert(document.accessories.remove(at: position), at: 0)
        }
        if let aid = document.accessories[0].aid, aid != .primary {
            note(document.accessories[0].key, "the first accessory of such a file has the id 1; it had \(aid)")
            document.accessories[0].aid = .primary
        }
        let first = document.accessories[0].key
        document.addProtocolInformation { note(first, $0) }
        let derived = DerivedIdentity(key: key)
        if document.deviceID == nil {
            document.deviceID = derived.deviceID
            note("deviceID", "such a file has a device ID; \(derived.deviceID?.text ?? "") is made of the id")
        }
        if document.setupID == nil {
            document.setupID = derived.setupID
            note("setupID", "such a file has a setup ID; \(derived.setupID?.text ?? "") is made of the id")
        }
        if document.setupCode == nil {
            note("setupCode", "such a file has a setup code; give one, or HAS will miss it")
        }
        return document
    }
}
