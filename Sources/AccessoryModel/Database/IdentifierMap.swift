public import HAPCore

/// Which aid and iid belong to which object, for good: an id is never given to anything else.
///
/// Entries of removed objects stay, so the next free id is one more than the greatest ever given.
///
/// HAP: §11.1
public struct IdentifierMap: Sendable, Hashable {
    /// The aid of every accessory there ever was, by its key.
    public private(set) var accessories: [String: AccessoryID] = [:]
    /// The iid of every service and characteristic there ever was, by its path in the accessory.
    public private(set) var objects: [AccessoryID: [String: InstanceID]] = [:]

    private var lastAccessoryID: UInt64 = 0
    private var lastInstanceIDs: [AccessoryID: UInt64] = [:]

    /// Creates an empty map.
    public init() {}

    /// Records an accessory's aid.
    public mutating func record(_ aid: AccessoryID, forAccessory key: String) {
        accessories[key] = aid
        lastAccessoryID = max(lastAccessoryID, aid.rawValue)
    }

    /// Records the iid of an object of an accessory.
    public mutating func record(_ iid: InstanceID, forObject path: String, in aid: AccessoryID) {
        objects[aid, default: [:]][path] = iid
        lastInstanceIDs[aid] = max(lastInstanceIDs[aid] ?? 0, iid.rawValue)
    }

    /// The aid of an accessory: the declared one, else the kept one, else a new one.
    ///
    /// - Throws: ``ModelError`` when the declared aid was given to another accessory before, or none is left.
    package mutating func assignAccessoryID(_ declared: AccessoryID?, to key: String) throws(ModelError) -> AccessoryID
    {
        if let kept = accessories[key], declared == nil || declared == kept {
            return kept
        }
        guard let aid = declared ?? AccessoryID(after: max(lastAccessoryID, AccessoryID.primary.rawValue)) else {
            throw ModelError(.tooMany, at: key, "no accessory id is left")
        }
        if accessories.contains(where: { $0.value == aid && $0.key != key }) {
            throw ModelError(
                .duplicate,
                at: key,
                "accessory id \(aid) belonged to another accessory; choose an unused one"
            )
        }
        record(aid, forAccessory: key)
        return aid
    }

    /// The iid of an object: the declared one, else the kept one, else a new one.
    ///
    /// - Throws: ``ModelError`` when the declared iid was given to another object before, or none is left.
    package mutating func assignInstanceID(
        _ declared: InstanceID?,
        to path: String,
        in aid: AccessoryID
    ) throws(ModelError) -> InstanceID {
        if let kept = objects[aid]?[path], declared == nil || declared == kept {
            return kept
        }
        let last = max(lastInstanceIDs[aid] ?? 0, InstanceID.accessoryInformation.rawValue)
        guard let iid = declared ?? InstanceID(after: last) else {
            throw ModelError(.tooMany, at: path, "no instance id is left")
        }
        if let owner = objects[aid]?.first(where: { $0.value == iid && $0.key != path })?.key {
            throw ModelError(.duplicate, at: path, "instance id \(iid) belonged to \(owner); choose an unused one")
        }
        record(iid, forObject: path, in: aid)
        return iid
    }
}

extension AccessoryID {
    fileprivate init?(after last: UInt64) {
        guard last < .max else { return nil }
        self.init(last + 1)
    }
}

extension InstanceID {
    fileprivate init?(after last: UInt64) {
        guard last < .max else { return nil }
        self.init(last + 1)
    }
}
