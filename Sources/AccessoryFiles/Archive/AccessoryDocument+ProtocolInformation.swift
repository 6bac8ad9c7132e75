internal import AccessoryModel

extension AccessoryDocument {
    /// Adds the HAP Protocol Information service to the first accessory, behind Accessory Information, when it has none.
    mutating func addProtocolInformation(_ note: (String) -> Void) {
        guard var first = accessories.first, !first.services.contains(where: { $0.key.type == .protocolInformation })
        else { return }
        let service = FileService(Service.protocolInformation().description)
        let position = first.services.first?.key.type == .accessoryInformation ? 1 : 0
        first.services.insert(service, at: position)
        accessories[0] = first
        note("the server's first accessory has the service HAP Protocol Information; it is added")
    }
}
