internal import AccessoryModel
internal import HAPCore

extension AccessoryDocument {
    /// Returns the document in the form in which a dump of it is read, for comparison.
    ///
    /// The result is verbatim if `stored` is, and omits properties that follow from the format of a characteristic.
    func asServed(like stored: AccessoryDocument) -> AccessoryDocument {
        var document = withDefaults(from: stored)
        document.isVerbatim = stored.isVerbatim
        document.accessories.updateEach(from: stored.accessories) { accessory, stored in
            accessory.services.updateEach(from: stored.services) { service, stored in
                service.characteristics.updateEach(from: stored.characteristics) { $0.setServedDefaults(from: $1) }
            }
        }
        return document
    }
}

extension Characteristic {
    fileprivate mutating func setServedDefaults(from stored: Characteristic) {
        value = value ?? stored.value
        guard jsonMembers(isVerbatim: false) == stored.jsonMembers(isVerbatim: false) else { return }
        let minimumLength = metadata.minimumLength
        metadata = stored.metadata
        metadata.minimumLength = minimumLength
    }
}
