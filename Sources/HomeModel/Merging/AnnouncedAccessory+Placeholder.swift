internal import AccessoryModel
internal import HAPCore

extension AnnouncedAccessory {
    /// What can be told of an accessory that nobody knows: the services whose types the file says.
    init(placeholder accessory: DocumentedPlacement) {
        self.init(
            name: accessory.accessory.value,
            category: accessory.category,
            services: accessory.services.compactMap(AnnouncedService.init(placeholder:))
        )
    }

    /// Whether an accessory of a home is made of this already.
    func isStructure(of accessory: HomeAccessory) -> Bool {
        guard services.count == accessory.services.count, category == nil || category == accessory.category else {
            return false
        }
        return zip(services, accessory.services)
            .allSatisfy { service, kept in
                var same = service.home(id: kept.id.rawValue, name: kept.name)
                same.room = kept.room
                same.associatedType = kept.associatedType
                return same == kept
            }
    }
}

extension AnnouncedService {
    /// What can be told of a service that nobody knows: what its type requires and allows.
    ///
    /// `nil` when the file does not say the type. A vendor's has no characteristics that anybody knew.
    init?(placeholder service: DocumentedPlacement.Service) {
        let designation = ServiceDesignation(service.key.value)
        guard let type = service.type ?? designation.type else { return nil }
        let definition = Catalogue.service(type)
        let types = (definition?.required ?? []) + (definition?.optional ?? [])
        self.init(
            name: designation.type == nil ? service.key.value : nil,
            type: type,
            characteristics: types.compactMap(Catalogue.characteristic)
                .map { HomeCharacteristic(type: $0.type, permissions: $0.permissions, metadata: $0.metadata) }
        )
    }
}
