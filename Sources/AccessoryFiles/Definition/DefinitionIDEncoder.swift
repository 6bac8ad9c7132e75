internal import AccessoryModel
internal import HAPCore

/// Finds the ids that have to be written: those that are not the next ones.
struct DefinitionIDEncoder {
    /// Which ids of a service have to be written.
    struct ServiceIDs {
        /// Its own; `nil` for one that is not written.
        var service: InstanceID?
        /// Those of its characteristics.
        var characteristics: [InstanceID?]

        /// Whether none has to be.
        var areImplied: Bool {
            service == nil && areImplied(from: 0)
        }

        /// Whether none of the characteristics from a place on has to be.
        func areImplied(from position: Int) -> Bool {
            characteristics[position...].allSatisfy { $0 == nil }
        }
    }

    private let numbersAreFixed: Bool
    private let isVerbatim: Bool
    /// Those of characteristics: a real device may use one for a service, too.
    private let shareable: Set<InstanceID>
    private var last: UInt64 = 0

    init(isFixed: Bool, isVerbatim: Bool, services: [FileService] = []) {
        self.numbersAreFixed = isFixed
        shareable = isVerbatim ? Set(services.flatMap(\.characteristics).compactMap(\.iid)) : []
        self.isVerbatim = isVerbatim
    }

    /// What is written of an accessory's id.
    mutating func documentID(_ id: AccessoryID?) -> AccessoryID? {
        mustWrite(id?.rawValue) ? id : nil
    }

    /// What is written of the ids of a service.
    mutating func documentIDs(_ service: FileService) -> ServiceIDs {
        let isShared = service.iid.map(shareable.contains) ?? false
        var own = mustWrite(service.iid?.rawValue, isImplied: !isShared) ? service.iid : nil
        if !isVerbatim, service.key.type == .accessoryInformation, service.iid == .accessoryInformation {
            own = nil
        }
        return ServiceIDs(
            service: own,
            characteristics: service.characteristics.map { mustWrite($0.iid?.rawValue) ? $0.iid : nil }
        )
    }

    private mutating func mustWrite(_ id: UInt64?, isImplied: Bool = true) -> Bool {
        guard let id else { return false }
        let isNext = id == last + 1
        if id <= IdentifierMap.maximumID {
            last = max(last, id)
        }
        return !(numbersAreFixed && isNext && isImplied)
    }
}
