internal import AccessoryModel
internal import Documents
internal import HAPCore

/// Finds the ids that have to be written: those that are not the next ones.
struct DefinitionNumbers {
    /// Which ids of a service have to be written.
    struct ServiceIDs {
        /// Its own; `nil` for one that is not written.
        var service: DocumentTree?
        /// Those of its characteristics.
        var characteristics: [DocumentTree?]

        /// Whether none has to be.
        var areImplied: Bool {
            service == nil && characteristics.allSatisfy { $0 == nil }
        }
    }

    private let isFixed: Bool
    private let isVerbatim: Bool
    /// Those of characteristics: a real device may use one for a service, too.
    private let shareable: Set<InstanceID>
    private var last: UInt64 = 0

    init(isFixed: Bool, isVerbatim: Bool, services: [FileService] = []) {
        self.isFixed = isFixed
        shareable = isVerbatim ? Set(services.flatMap(\.characteristics).compactMap(\.iid)) : []
        self.isVerbatim = isVerbatim
    }

    /// What is written of an accessory's id.
    mutating func written(_ id: AccessoryID?) -> DocumentTree? {
        written(id?.rawValue)
    }

    /// What is written of the ids of a service.
    mutating func written(_ service: FileService) -> ServiceIDs {
        let isShared = service.iid.map(shareable.contains) ?? false
        var own = written(service.iid?.rawValue, isImplied: !isShared)
        if !isVerbatim, service.key.type == .accessoryInformation, service.iid == .accessoryInformation {
            own = nil
        }
        return ServiceIDs(
            service: own,
            characteristics: service.characteristics.map { written($0.iid?.rawValue) }
        )
    }

    private mutating func written(_ id: UInt64?, isImplied: Bool = true) -> DocumentTree? {
        guard let id else { return nil }
        let isNext = id == last + 1
        if id <= IdentifierMap.maximumID {
            last = max(last, id)
        }
        return isFixed && isNext && isImplied ? nil : .number(.unsigned(id))
    }
}

extension DefinitionNumbers.ServiceIDs {
    /// Whether none of the characteristics from a place on has to be.
    func areImplied(from position: Int) -> Bool {
        characteristics[position...].allSatisfy { $0 == nil }
    }
}
