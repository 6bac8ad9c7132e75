internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Assigns the ids of the accessories of a server, or of the objects of an accessory, as at the first start.
struct IDNumbering {
    private var allocator: IDAllocator
    private var owners: [UInt64: String] = [:]
    /// The name for an object without a path.
    private let ownerName: String
    private let isVerbatim: Bool

    init(
        after last: UInt64,
        besides written: some Sequence<UInt64>,
        whole: String,
        isVerbatim: Bool
    ) {
        allocator = IDAllocator(after: last, besides: Set(written))
        self.ownerName = whole
        self.isVerbatim = isVerbatim
    }

    /// Returns the id of the next object.
    ///
    /// Reports an error if another object has the same id, or if no id is left.
    ///
    /// - Parameter mayRepeat: Whether another object may have the same id.
    mutating func assign(
        _ written: UInt64?,
        at location: SourceLocation,
        mayRepeat: Bool = false,
        _ reader: inout DocumentReader
    ) -> UInt64 {
        let id = allocator.nextID(declared: written)
        guard !mayRepeat else { return id }
        let limit = IdentifierMap.maximumID
        if let other = owners.updateValue(location.path, forKey: id) {
            let owner = other.isEmpty ? ownerName : other
            reader.report(at: location, "id \(id) is also the id of \(owner); change one of them")
        } else if id > limit, !isVerbatim {
            reader.report(at: location, "there is no id after \(limit); write one that is not used")
        }
        return id
    }
}

extension [DefinedService] {
    /// Reports objects of an accessory that have the same id.
    ///
    /// With `isFixed`, each object without an id permanently gets the next one. With `isVerbatim`, a service may have
    /// the id of another object, as in real devices.
    mutating func assignNumbers(isFixed: Bool, isVerbatim: Bool, _ reader: inout DocumentReader) {
        // A server reserves 1 for Accessory Information.
        let written = flatMap { [$0.iid?.value] + $0.characteristics.map(\.characteristic.iid) }
        var ids = IDNumbering(
            after: isFixed ? 0 : 1,
            besides: written.lazy.compactMap { $0?.rawValue },
            whole: "the added Accessory Information",
            isVerbatim: isVerbatim
        )
        for position in indices {
            let (iid, location) = (self[position].iid, self[position].location)
            let id = ids.assign(iid?.value.rawValue, at: iid?.location ?? location, mayRepeat: isVerbatim, &reader)
            if isFixed {
                self[position].iid = InstanceID(id).map { Located($0) }
            }
            for index in self[position].characteristics.indices {
                let defined = self[position].characteristics[index]
                let location = defined.iidLocation ?? defined.location
                let id = ids.assign(defined.characteristic.iid?.rawValue, at: location, &reader)
                if isFixed {
                    self[position].characteristics[index].characteristic.iid = InstanceID(id)
                }
            }
        }
    }
}

extension [DefinedAccessory] {
    /// Reports accessories of a server that have the same id or key.
    ///
    /// With `isFixed`, each accessory without an id permanently gets the next one.
    mutating func assignNumbers(isFixed: Bool, isVerbatim: Bool, _ reader: inout DocumentReader) {
        var keys: [String: String] = [:]
        let written = lazy.compactMap(\.aid?.value.rawValue)
        var ids = IDNumbering(after: 0, besides: written, whole: "the bridge", isVerbatim: isVerbatim)
        for (position, defined) in enumerated() {
            let aid = defined.aid?.value
            let isServer = position == 0 && !isVerbatim
            let location = defined.aid?.location ?? defined.location
            let id = ids.assign(
                aid?.rawValue ?? (isServer ? AccessoryID.primary.rawValue : nil),
                at: location,
                &reader
            )
            if isFixed {
                self[position].aid = AccessoryID(id).map { Located($0, at: location) }
            }
            if let aid, isServer, aid != .primary {
                reader.report(at: location, "the first accessory has id 1; omit it")
            }
            if let other = keys.updateValue(defined.location.path, forKey: defined.key) {
                reader.report(
                    at: defined.location,
                    "\(other.isEmpty ? "the bridge" : other) is \(defined.key.quotedForDisplay), too; change one \"id\""
                )
            }
        }
    }
}
