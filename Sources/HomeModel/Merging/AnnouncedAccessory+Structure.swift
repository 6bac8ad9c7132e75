extension AnnouncedAccessory {
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
