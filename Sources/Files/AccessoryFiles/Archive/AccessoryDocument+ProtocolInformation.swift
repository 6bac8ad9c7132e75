internal import AccessoryModel

extension AccessoryDocument {
    /// Adds the HAP Protocol Information service to the first accessory, after Accessory Information, if it is missing.
    mutating func addProtocolInformation(_ note: (String) -> Void) {
        guard var first = accessories.first, !first.services.contains(where: { $0.key.type == .protocolInformation })
        else { return }
        let service = FileService(Service.protocolInformation().description)
        let position = first.services.first?.key.type == .accessoryInformation ? 1 : 0
        first.services.insert(service, at: position)
        accessories[0] = first
        note("the server's first accessory needs the service HAP Protocol Information; it is added")
    }
}
