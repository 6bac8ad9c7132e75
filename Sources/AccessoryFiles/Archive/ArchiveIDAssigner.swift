internal import AccessoryModel
internal import Documents
internal import HAPCore

/// The ids of a document's objects, where they have none: those that a server would give them at its first start.
struct ArchiveIDAssigner {
    /// The document, in which every accessory, service and characteristic has an id.
    private(set) var document: AccessoryDocument
    /// The ids of the Bluetooth pairing service and its four characteristics.
    private(set) var pairingServiceIDs: [InstanceID] = []

    /// Gives ids.
    ///
    /// - Throws: ``DocumentError`` when two objects have one id, or when none is left.
    init(_ document: AccessoryDocument, name: String) throws(DocumentError) {
        self.document = document
        var aids = IDSequence(after: AccessoryID.primary.rawValue - 1)
        for (position, accessory) in document.accessories.enumerated() {
            guard let aid = accessory.aid?.rawValue, !aids.declare(aid) else { continue }
            guard document.isVerbatim else {
                let reason = "the accessory id \(aid) occurs twice, or is too great"
                throw DocumentError(in: name, path: accessory.key, reason)
            }
            self.document.accessories[position].aid = nil
        }
        for position in document.accessories.indices {
            let path = document.accessories[position].key
            guard let aid = aids.nextID(declared: self.document.accessories[position].aid?.rawValue) else {
                throw DocumentError(in: name, path: path, "no accessory id is left")
            }
            self.document.accessories[position].aid = AccessoryID(aid)
            try assignIDs(of: position, name: name)
        }
    }

    /// The next free instance id of an accessory.
    func nextInstanceID(in accessory: FileAccessory, isPrimary: Bool) -> UInt64 {
        (accessory.instanceIDs + (isPrimary ? pairingServiceIDs : [])).map(\.rawValue).max().map { $0 + 1 } ?? 1
    }

    private mutating func assignIDs(of position: Int, name: String) throws(DocumentError) {
        var accessory = document.accessories[position]
        var ids = IDSequence(after: InstanceID.accessoryInformation.rawValue)
        for (index, service) in accessory.services.enumerated()
        where service.key.type == .accessoryInformation && service.iid == nil {
            accessory.services[index].iid = .accessoryInformation
        }
        // Characteristics first: of a real device, a service may have the id of one.
        for index in accessory.services.indices {
            for inner in accessory.services[index].characteristics.indices {
                try declare(&accessory.services[index].characteristics[inner].iid, in: &ids, of: accessory.key, name)
            }
        }
        for index in accessory.services.indices {
            try declare(&accessory.services[index].iid, in: &ids, of: accessory.key, name)
        }
        for index in accessory.services.indices {
            accessory.services[index].iid = ids.nextID(declared: accessory.services[index].iid?.rawValue)
                .flatMap { InstanceID($0) }
            for inner in accessory.services[index].characteristics.indices {
                let iid = accessory.services[index].characteristics[inner].iid
                accessory.services[index].characteristics[inner].iid = ids.nextID(declared: iid?.rawValue)
                    .flatMap { InstanceID($0) }
            }
        }
        let objects = accessory.services.reduce(accessory.services.count) { $0 + $1.characteristics.count }
        guard accessory.instanceIDs.count == objects else {
            throw DocumentError(in: name, path: accessory.key, "no instance id is left")
        }
        document.accessories[position] = accessory
        if position == 0 {
            guard let run = ids.firstFreeRange(of: 1 + ArchivedCharacteristic.pairing.count) else {
                throw DocumentError(in: name, path: accessory.key, "no instance id is left")
            }
            pairingServiceIDs = run.compactMap { InstanceID($0) }
        }
    }

    /// Notes an id; one that a real device has and an export cannot have becomes `nil`.
    private func declare(
        _ iid: inout InstanceID?,
        in ids: inout IDSequence,
        of path: String,
        _ name: String
    ) throws(DocumentError) {
        guard let id = iid?.rawValue, !ids.declare(id) else { return }
        guard document.isVerbatim else {
            throw DocumentError(in: name, path: path, "the instance id \(id) occurs twice, or is too great")
        }
        iid = nil
    }
}

extension ArchiveIDAssigner {
    /// Ids as a server gives them: the next after the greatest so far.
    private struct IDSequence {
        private var last: UInt64
        private var taken: Set<UInt64> = []

        init(after last: UInt64) {
            self.last = last
        }

        /// Notes an id that is given already, before any is asked for; `false` for one that occurs twice or is too great.
        mutating func declare(_ id: UInt64) -> Bool {
            id <= IdentifierMap.maximumID && taken.insert(id).inserted
        }

        /// The declared id, else the next; `nil` when none is left.
        mutating func nextID(declared: UInt64?) -> UInt64? {
            if let declared {
                last = max(last, declared)
                return declared
            }
            var next = last + 1
            while taken.contains(next) { next += 1 }
            guard next <= IdentifierMap.maximumID else { return nil }
            taken.insert(next)
            last = next
            return next
        }

        /// The first ids in a row that nobody has, `nil` when there is no such row.
        func firstFreeRange(of count: Int) -> ClosedRange<UInt64>? {
            var start: UInt64 = 1
            for id in taken.sorted() where id >= start {
                if id - start >= UInt64(count) { break }
                start = id + 1
            }
            let end = start + UInt64(count) - 1
            return end <= IdentifierMap.maximumID ? start...end : nil
        }
    }
}

extension FileAccessory {
    /// The ids of its services and characteristics, as far as they have any.
    var instanceIDs: [InstanceID] {
        services.flatMap { [$0.iid] + $0.characteristics.map(\.iid) }.compactMap(\.self)
    }
}
