public import HAPCore

/// The aids and iids of all objects; an id is never given to another object.
///
/// The entries of removed objects stay, so the next free id is one more than the greatest id ever given. If an object
/// is declared with a different id than before, its old id is stored in an entry `#retired/ID/KEY`. The object may get
/// that id back, but no other object gets it.
///
/// HAP: §11.1
public struct IdentifierMap: Sendable, Hashable {
    private var accessoryTable = IDTable<AccessoryID>()
    /// The ids of the objects of each accessory that has some.
    private var objectTables: [AccessoryID: IDTable<InstanceID>] = [:]

    /// Creates an empty map.
    public init() {}

    /// The aid of every accessory that ever existed, by the accessory's key.
    public var accessories: [String: AccessoryID] { accessoryTable.ids }

    /// The iid of every service and characteristic that ever existed, by its path in the accessory.
    public var objects: [AccessoryID: [String: InstanceID]] { objectTables.mapValues(\.ids) }

    /// Records an accessory's aid.
    public mutating func record(_ aid: AccessoryID, forAccessory key: String) {
        accessoryTable.record(aid, for: key)
    }

    /// Records the iid of an object of an accessory.
    public mutating func record(_ iid: InstanceID, forObject path: String, in aid: AccessoryID) {
        objectTables[aid, default: IDTable()].record(iid, for: path)
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
        excluding reserved: Set<UInt64> = [],
        upTo greatest: UInt64 = maximumID
    ) throws(ModelError) -> AccessoryID {
        guard !key.hasPrefix(Self.retiredKeyPrefix) else {
            throw ModelError(
                .invalid,
                at: key,
                "keys that begin with \(Self.retiredKeyPrefix) are reserved; choose another"
            )
        }
        return try accessoryTable.assign(declared, to: key, excluding: reserved, upTo: greatest)
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
        excluding reserved: Set<UInt64> = [],
        upTo greatest: UInt64 = maximumID
    ) throws(ModelError) -> InstanceID {
        defer { removeTableIfEmpty(of: aid) }
        return try objectTables[aid, default: IDTable()]
            .assign(declared, to: path, excluding: reserved, upTo: greatest)
    }

    /// Removes the table of an accessory that has no ids, so that maps with the same ids are equal.
    private mutating func removeTableIfEmpty(of aid: AccessoryID) {
        if objectTables[aid]?.ids.isEmpty == true { objectTables[aid] = nil }
    }

    /// The prefix of keys for retired ids.
    ///
    /// A path begins with a type, so it never has this prefix.
    fileprivate static let retiredKeyPrefix = "#retired/"
}

/// An id of an accessory, or of an object of an accessory.
private protocol AssignedID: Sendable, Hashable, CustomStringConvertible {
    var rawValue: UInt64 { get }
    init?(_ rawValue: UInt64)

    /// The id that is reserved for the first object, and is assigned only if it is declared.
    static var first: Self { get }
    /// The kind of the id, for messages.
    static var kind: String { get }
    /// The owner of an id in singular and plural, for messages.
    static var owner: (one: String, several: String) { get }
}

extension AccessoryID: AssignedID {
    fileprivate static var first: AccessoryID { .primary }
    fileprivate static var kind: String { "accessory" }
    fileprivate static var owner: (one: String, several: String) { ("accessory", "accessories") }
}

extension InstanceID: AssignedID {
    fileprivate static var first: InstanceID { .accessoryInformation }
    fileprivate static var kind: String { "instance" }
    fileprivate static var owner: (one: String, several: String) { ("object", "objects of the accessory") }
}

/// The ids of all accessories, or of all objects of an accessory, by their keys.
private struct IDTable<ID: AssignedID>: Sendable, Hashable {
    private(set) var ids: [String: ID] = [:]
    private var last: UInt64 = 0
    /// The values of ``ids`` as a set, for fast lookup.
    private var used: Set<ID> = []

    mutating func record(_ id: ID, for key: String) {
        ids[key] = id
        used.insert(id)
        if id.rawValue <= IdentifierMap.maximumID {
            last = max(last, id.rawValue)
        }
    }

    /// Returns the declared id, the saved one, or a new one that is not reserved.
    mutating func assign(
        _ declared: ID?,
        to key: String,
        excluding reserved: Set<UInt64>,
        upTo greatest: UInt64
    ) throws(ModelError) -> ID {
        let stored = ids[key]
        if let stored, declared == nil || declared == stored {
            return stored
        }
        if let declared, declared.rawValue > greatest {
            throw ModelError(.invalid, at: key, "the id \(declared) is too great; the maximum is \(greatest)")
        }
        guard let id = declared ?? nextID(excluding: reserved) else {
            throw ModelError(.tooMany, at: key, "no \(ID.kind) id is left")
        }
        let ownRetired = Self.retiredKey(id, of: key)
        if used.contains(id), ids.contains(where: { $0.value == id && $0.key != ownRetired }) {
            throw ModelError(
                .duplicate,
                at: key,
                "\(ID.kind) id \(id) belonged to another \(ID.owner.one); choose an unused one"
            )
        }
        ids[ownRetired] = nil
        if let stored {
            record(stored, for: Self.retiredKey(stored, of: key))
        }
        record(id, for: key)
        return id
    }

    private func nextID(excluding reserved: Set<UInt64>) -> ID? {
        var allocator = IDAllocator(after: max(last, ID.first.rawValue), besides: reserved)
        return allocator.nextFreeID().flatMap { ID($0) }
    }

    /// Assigns ids to keys, and retires the keys that had them before.
    ///
    /// - Parameter accessory: The key of the accessory whose objects get ids, for messages.
    mutating func reassign(_ newIDs: [(key: String, id: ID)], of accessory: String? = nil) throws(ModelError) {
        var taken: Set<ID> = []
        for (key, id) in newIDs {
            guard taken.insert(id).inserted else {
                throw ModelError(
                    .duplicate,
                    at: accessory.map { "\($0)/\(key)" } ?? key,
                    "two \(ID.owner.several) have the id \(id); change one of them"
                )
            }
        }
        ids = ids.filter { !taken.contains($0.value) }
        for (key, id) in newIDs {
            if let stored = ids[key] {
                record(stored, for: Self.retiredKey(stored, of: key))
            }
            record(id, for: key)
        }
    }

    /// Returns the key for an id that an object no longer has.
    private static func retiredKey(_ id: ID, of key: String) -> String {
        "\(IdentifierMap.retiredKeyPrefix)\(id)/\(key)"
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
        try accessoryTable.reassign(aids)
        for accessory in declared {
            guard let aid = accessory.aid ?? accessories[accessory.key] else { continue }
            var iids: [(key: String, id: InstanceID)] = []
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
            defer { removeTableIfEmpty(of: aid) }
            try objectTables[aid, default: IDTable()].reassign(iids, of: accessory.key)
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
