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

    /// Creates an empty map.
    public init() {}

    /// Records an accessory's aid.
    public mutating func record(_ aid: AccessoryID, forAccessory key: String) {
        accessories[key] = aid
    }

    /// Records the iid of an object of an accessory.
    public mutating func record(_ iid: InstanceID, forObject path: String, in aid: AccessoryID) {
        objects[aid, default: [:]][path] = iid
    }
}
