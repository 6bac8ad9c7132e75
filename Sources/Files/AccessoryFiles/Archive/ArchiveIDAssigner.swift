internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Assigns the missing ids of a document, as a server would at its first start.
struct ArchiveIDAssigner {
    /// The document, in which every accessory, service and characteristic has an id.
    private(set) var document: AccessoryDocument
    /// The ids of the Bluetooth pairing service and its four characteristics.
    private(set) var pairingServiceIDs: [InstanceID] = []

    /// Assigns the ids.
    ///
    /// - Throws: ``DocumentError`` if two objects have the same id, or if no id is left.
    init(_ document: AccessoryDocument, name: String) throws(DocumentError) {
        self.document = document
        var taken: Set<UInt64> = []
        for (position, accessory) in document.accessories.enumerated() {
            guard let aid = accessory.aid?.rawValue, !taken.declare(aid) else { continue }
            guard document.isVerbatim else {
                let reason = "the accessory id \(aid) is used twice or is above \(IdentifierMap.maximumID); change it"
                throw DocumentError(in: name, path: accessory.key, reason)
            }
            self.document.accessories[position].aid = nil
        }
        var aids = IDAllocator(after: AccessoryID.primary.rawValue - 1, besides: taken)
        for position in document.accessories.indices {
            let path = document.accessories[position].key
            guard let aid = aids.nextFreeID(declared: self.document.accessories[position].aid?.rawValue) else {
                throw DocumentError(in: name, path: path, "no accessory id is left; use smaller ids")
            }
            self.document.accessories[position].aid = AccessoryID(aid)
            try assignIDs(of: position, name: name)
        }
    }

    /// Returns the next free instance id of an accessory.
    func nextInstanceID(in accessory: FileAccessory, isPrimary: Bool) -> UInt64 {
        (accessory.instanceIDs + (isPrimary ? pairingServiceIDs : [])).map(\.rawValue).max().map { $0 + 1 } ?? 1
    }

    private mutating func assignIDs(of position: Int, name: String) throws(DocumentError) {
        var accessory = document.accessories[position]
        var taken: Set<UInt64> = []
        for (index, service) in accessory.services.enumerated()
        where service.key.type == .accessoryInformation && service.iid == nil {
            accessory.services[index].iid = .accessoryInformation
        }
        // In a dump of a real device, a service may have the id of a characteristic. The characteristic keeps the id.
        for index in accessory.services.indices {
            for inner in accessory.services[index].characteristics.indices {
                try declare(&accessory.services[index].characteristics[inner].iid, in: &taken, of: accessory.key, name)
            }
        }
        for index in accessory.services.indices {
            try declare(&accessory.services[index].iid, in: &taken, of: accessory.key, name)
        }
        var ids = IDAllocator(after: InstanceID.accessoryInformation.rawValue, besides: taken)
        for index in accessory.services.indices {
            accessory.services[index].iid = ids.nextFreeID(declared: accessory.services[index].iid?.rawValue)
                .flatMap { InstanceID($0) }
            for inner in accessory.services[index].characteristics.indices {
                let iid = accessory.services[index].characteristics[inner].iid
                accessory.services[index].characteristics[inner].iid = ids.nextFreeID(declared: iid?.rawValue)
                    .flatMap { InstanceID($0) }
            }
        }
        let objects = accessory.services.reduce(accessory.services.count) { $0 + $1.characteristics.count }
        guard accessory.instanceIDs.count == objects else {
            throw DocumentError(in: name, path: accessory.key, "no instance id is left; use smaller ids")
        }
        document.accessories[position] = accessory
        if position == 0 {
            guard let run = accessory.firstFreeIDs(1 + ArchivedCharacteristic.pairing.count) else {
                throw DocumentError(in: name, path: accessory.key, "no instance id is left; use smaller ids")
            }
            pairingServiceIDs = run.compactMap { InstanceID($0) }
        }
    }

    /// Records a declared id.
    ///
    /// An id in a copy of a real device becomes `nil` if an export cannot contain it.
    private func declare(
        _ iid: inout InstanceID?,
        in taken: inout Set<UInt64>,
        of path: String,
        _ name: String
    ) throws(DocumentError) {
        guard let id = iid?.rawValue, !taken.declare(id) else { return }
        guard document.isVerbatim else {
            throw DocumentError(
                in: name,
                path: path,
                "the instance id \(id) is used twice or is above \(IdentifierMap.maximumID); change it"
            )
        }
        iid = nil
    }
}

extension Set<UInt64> {
    /// Adds a declared id; returns `false` if it occurs twice or is too large.
    fileprivate mutating func declare(_ id: UInt64) -> Bool {
        id <= IdentifierMap.maximumID && insert(id).inserted
    }
}

extension FileAccessory {
    /// Returns the first range of `count` free instance ids, or `nil` if there is none.
    fileprivate func firstFreeIDs(_ count: Int) -> ClosedRange<UInt64>? {
        var start: UInt64 = 1
        for id in instanceIDs.map(\.rawValue).sorted() where id >= start {
            if id - start >= UInt64(count) { break }
            start = id + 1
        }
        let end = start + UInt64(count) - 1
        return end <= IdentifierMap.maximumID ? start...end : nil
    }

    /// The ids of the accessory's services and characteristics that have one.
    var instanceIDs: [InstanceID] {
        services.flatMap { [$0.iid] + $0.characteristics.map(\.iid) }.compactMap(\.self)
    }
}
