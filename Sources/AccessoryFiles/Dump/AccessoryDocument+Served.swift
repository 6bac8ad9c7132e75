internal import AccessoryModel
internal import HAPCore

extension AccessoryDocument {
    /// The document as a dump of it is read, where that is served the same: as a picture, and without what the format of a
    /// characteristic says anyway.
    func served(like kept: AccessoryDocument) -> AccessoryDocument {
        var document = settled(like: kept)
        document.isVerbatim = kept.isVerbatim
        document.accessories.settle(like: kept.accessories) { accessory, kept in
            accessory.services.settle(like: kept.services) { service, kept in
                service.characteristics.settle(like: kept.characteristics) { $0.serve(like: $1) }
            }
        }
        return document
    }
}

extension Characteristic {
    fileprivate mutating func serve(like kept: Characteristic) {
        value = value ?? kept.value
        guard members(isVerbatim: false) == kept.members(isVerbatim: false) else { return }
        let minimumLength = metadata.minimumLength
        metadata = kept.metadata
        metadata.minimumLength = minimumLength
    }
}
