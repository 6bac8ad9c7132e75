public import HAPCore

/// The aids and iids of all objects; an id is never given to another object.
///
/// The entries of removed objects stay, so the next free id is one more than the greatest id ever given. If an object
/// is declared with a different id than before, its old id is stored in an entry `#retired/ID/KEY`. The object may get
/// that id back, but no other object gets it.
///
/// HAP: §11.1
public struct IdentifierMap: Sendable, Hashable {
    /// The aid of every accessory that ever existed, by the accessory's key.
    public private(set) var accessories: [String: AccessoryID] = [:]
    /// The iid of every service and characteristic that ever existed, by its path in the accessory.
    public private(set) var objects: [AccessoryID: [String: InstanceID]] = [:]

    private var lastAccessoryID: UInt64 = 0
    private var lastInstanceIDs: [AccessoryID: UInt64] = [:]
    /// The iids in ``objects``, so that a new one need not be compared with each of them.
    private var usedInstanceIDs: [AccessoryID: Set<InstanceID>] = [:]

    /// Creates an empty map.
    public init() {}

    /// Records an accessory's aid.
    public mutating func record(_ aid: AccessoryID, forAccessory key: String) {
        accessories[key] = aid
        if aid.rawValue <= Self.maximumID {
            lastAccessoryID = max(lastAccessoryID, aid.rawValue)
        }
    }

    /// Records the iid of an object of an accessory.
    public mutating func record(_ iid: InstanceID, forObject path: String, in aid: AccessoryID) {
        objects[aid, default: [:]][path] = iid
        usedInstanceIDs[aid, default: []].insert(iid)
        if iid.rawValue <= Self.maximumID {
            lastInstanceIDs[aid] = max(lastInstanceIDs[aid] ?? 0, iid.rawValue)
        }
    }

    /// The greatest id that a server assigns.
    ///
    /// Peers that read JSON numbers as doubles cannot distinguish greater ids. Real devices may have greater ids; see
    /// ``reassignDeclaredIDs(of:)``.
    ///
    /// HAP: §11.1
    package static let maximumID: UInt64 = 1 << 53 - 1

    /// Returns the aid of an accessory: the declared one, the saved one, or a new one that is not reserved.
    ///
    /// - Parameter greatest: The greatest id that may be declared.
    /// - Throws: ``ModelError`` if the declared aid is too great, if it was given to another accessory before, if no id
    ///   is free, or if the key is reserved for retired ids.
    package mutating func assignAccessoryID(
        _ declared: AccessoryID?,
        to key: String,
        excluding reserved: Set<AccessoryID> = [],
        upTo greatest: UInt64 = maximumID
    ) throws(ModelError) -> AccessoryID {
        guard !key.hasPrefix(Self.retiredKeyPrefix) else {
            throw ModelError(
                .invalid,
                at: key,
                "keys that begin with \(Self.retiredKeyPrefix) are reserved; choose another"
            )
        }
        let stored = accessories[key]
        if let stored, declared == nil || declared == stored {
            return stored
        }
        try Self.check(declared?.rawValue, upTo: greatest, at: key)
        let last = max(lastAccessoryID, AccessoryID.primary.rawValue)
        guard let aid = declared ?? AccessoryID(after: last, excluding: reserved) else {
            throw ModelError(.tooMany, at: key, "no accessory id is left")
        }
        let ownRetired = Self.retiredKey(aid.rawValue, of: key)
        if accessories.contains(where: { $0.value == aid && $0.key != ownRetired }) {
            throw ModelError(
                .duplicate,
                at: key,
                "accessory id \(aid) belonged to another accessory; choose an unused one"
            )
        }
        accessories[ownRetired] = nil
        if let stored {
            record(stored, forAccessory: Self.retiredKey(stored.rawValue, of: key))
        }
        record(aid, forAccessory: key)
        return aid
    }

    /// Returns the iid of an object: the declared one, the saved one, or a new one that is not reserved.
    ///
    /// - Parameter greatest: The greatest id that may be declared.
    /// - Throws: ``ModelError`` if the declared iid is too great, if it was given to another object before, or if no id
    ///   is free.
    package mutating func assignInstanceID(
        _ declared: InstanceID?,
        to path: String,
        in aid: AccessoryID,
        excluding reserved: Set<InstanceID> = [],
        upTo greatest: UInt64 = maximumID
    ) throws(ModelError) -> InstanceID {
        let stored = objects[aid]?[path]
        if let stored, declared == nil || declared == stored {
            return stored
        }
        try Self.check(declared?.rawValue, upTo: greatest, at: path)
        let last = max(lastInstanceIDs[aid] ?? 0, InstanceID.accessoryInformation.rawValue)
        guard let iid = declared ?? InstanceID(after: last, excluding: reserved) else {
            throw ModelError(.tooMany, at: path, "no instance id is left")
        }
        let ownRetired = Self.retiredKey(iid.rawValue, of: path)
        let isUsed = usedInstanceIDs[aid]?.contains(iid) == true
        if isUsed, objects[aid]?.contains(where: { $0.value == iid && $0.key != ownRetired }) == true {
            throw ModelError(
                .duplicate,
                at: path,
                "instance id \(iid) belonged to another object; choose an unused one"
            )
        }
        objects[aid]?[ownRetired] = nil
        if let stored {
            record(stored, forObject: Self.retiredKey(stored.rawValue, of: path), in: aid)
        }
        record(iid, forObject: path, in: aid)
        return iid
    }

    /// Assigns ids to accessories and takes these ids from their previous owners.
    mutating func reassignAccessoryIDs(_ aids: [(key: String, id: AccessoryID)]) throws(ModelError) {
        var taken: Set<AccessoryID> = []
        for (key, aid) in aids {
            guard taken.insert(aid).inserted else {
                throw ModelError(.duplicate, at: key, "two accessories have the id \(aid); change one of them")
            }
        }
        accessories = accessories.filter { !taken.contains($0.value) }
        for (key, aid) in aids {
            if let stored = accessories[key] {
                record(stored, forAccessory: Self.retiredKey(stored.rawValue, of: key))
            }
            record(aid, forAccessory: key)
        }
    }

    /// Assigns ids to objects of an accessory and takes these ids from their previous owners.
    mutating func reassignInstanceIDs(
        _ iids: [(path: String, id: InstanceID)],
        in aid: AccessoryID,
        of key: String
    ) throws(ModelError) {
        var taken: Set<InstanceID> = []
        for (path, iid) in iids {
            guard taken.insert(iid).inserted else {
                throw ModelError(
                    .duplicate,
                    at: "\(key)/\(path)",
                    "two objects of the accessory have the id \(iid); change one of them"
                )
            }
        }
        objects[aid] = objects[aid]?.filter { !taken.contains($0.value) }
        for (path, iid) in iids {
            if let stored = objects[aid]?[path] {
                record(stored, forObject: Self.retiredKey(stored.rawValue, of: path), in: aid)
            }
            record(iid, forObject: path, in: aid)
        }
    }

    /// The prefix of keys for retired ids.
    ///
    /// A path begins with a type, so it never has this prefix.
    private static let retiredKeyPrefix = "#retired/"

    /// Returns the key for an id that an object no longer has.
    private static func retiredKey(_ id: UInt64, of key: String) -> String {
        "\(retiredKeyPrefix)\(id)/\(key)"
    }

    private static func check(
        _ declared: UInt64?,
        upTo greatest: UInt64,
        at path: String
    ) throws(ModelError) {
        if let declared, declared > greatest {
            throw ModelError(.invalid, at: path, "the id \(declared) is too great; the maximum is \(greatest)")
        }
    }
}

extension AccessoryID {
    fileprivate init?(after last: UInt64, excluding reserved: Set<AccessoryID>) {
        var next = AccessoryID(last + 1)
        while let taken = next, reserved.contains(taken) { next = AccessoryID(taken.rawValue + 1) }
        guard let next, next.rawValue <= IdentifierMap.maximumID else { return nil }
        self = next
    }
}

extension InstanceID {
    fileprivate init?(after last: UInt64, excluding reserved: Set<InstanceID>) {
        var next = InstanceID(last + 1)
        while let taken = next, reserved.contains(taken) { next = InstanceID(taken.rawValue + 1) }
        guard let next, next.rawValue <= IdentifierMap.maximumID else { return nil }
        self = next
    }
}

extension IdentifierMap {
    /// Assigns the ids of a real device to its objects.
    ///
    /// The device may have given an id to a different object than at the last start. In that case the previous object
    /// loses the id. Objects that are declared without an id keep theirs, unless another object has it now. If a
    /// service and another object have the same id, only the other object is recorded, and the id refers to that
    /// object.
    ///
    /// - Throws: ``ModelError`` if two accessories, or two characteristics of one accessory, have the same id.
    mutating func reassignDeclaredIDs(of declared: [Accessory]) throws(ModelError) {
        var aids: [(key: String, id: AccessoryID)] = []
        for accessory in declared {
            guard let aid = accessory.aid else { continue }
            aids.append((accessory.key, aid))
        }
        try reassignAccessoryIDs(aids)
        for accessory in declared {
            guard let aid = accessory.aid ?? accessories[accessory.key] else { continue }
            var iids: [(path: String, id: InstanceID)] = []
            for service in accessory.services {
                for (path, characteristic) in zip(service.paths, service.characteristics) {
                    if let iid = characteristic.iid {
                        iids.append((path.text, iid))
                    }
                }
            }
            var taken = Set(iids.map(\.id))
            for service in accessory.services {
                if let iid = service.iid, taken.insert(iid).inserted {
                    iids.append((service.key.path, iid))
                }
            }
            try reassignInstanceIDs(iids, in: aid, of: accessory.key)
        }
    }
}

extension ServiceKey {
    /// The key of the service in the identifier map.
    package var path: String {
        // A slash separates a service from its characteristics, so a slash in a subtype is doubled.
        subtype.isEmpty ? type.uuid.shortened : "\(type.uuid.shortened)#\(subtype.replacing("/", with: "//"))"
    }
}

extension Service {
    /// The keys of the service's characteristics in the identifier map.
    ///
    /// `isRepeated` is `true` if an earlier characteristic of the service has the same type.
    var paths: [(text: String, isRepeated: Bool)] {
        let path = self.key.path
        var counts: [CharacteristicType: Int] = [:]
        return self.characteristics.map { characteristic in
            counts[characteristic.type, default: 0] += 1
            let count = counts[characteristic.type] ?? 1
            let text = "\(path)/\(characteristic.type.uuid.shortened)"
            return (count == 1 ? text : "\(text)#\(count)", count > 1)
        }
    }
}
