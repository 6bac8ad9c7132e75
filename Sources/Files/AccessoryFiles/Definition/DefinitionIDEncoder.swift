internal import AccessoryModel
internal import HAPCore

/// Finds the ids that have to be written, because the reader would assign different ones.
struct DefinitionIDEncoder {
    /// The ids of a service that have to be written.
    struct ServiceIDs {
        /// The id of the service, or `nil` to omit it.
        var service: InstanceID?
        /// The ids of its characteristics, with `nil` for each that is omitted.
        var characteristics: [InstanceID?]

        /// Whether all ids can be omitted.
        var areImplied: Bool {
            service == nil && areImplied(from: 0)
        }

        /// Returns whether the ids of all characteristics from a position on can be omitted.
        func areImplied(from position: Int) -> Bool {
            characteristics[position...].allSatisfy { $0 == nil }
        }
    }

    private let numbersAreFixed: Bool
    private let isVerbatim: Bool
    /// The ids of characteristics, each of which a real device may use for a service, too.
    private let shareable: Set<InstanceID>
    private var last: UInt64 = 0

    init(isFixed: Bool, isVerbatim: Bool, services: [FileService] = []) {
        self.numbersAreFixed = isFixed
        shareable = isVerbatim ? Set(services.flatMap(\.characteristics).compactMap(\.iid)) : []
        self.isVerbatim = isVerbatim
    }

    /// Returns the aid to write, or `nil` to omit it.
    mutating func documentID(_ id: AccessoryID?) -> AccessoryID? {
        mustWrite(id?.rawValue) ? id : nil
    }

    /// Returns the ids of a service to write.
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
