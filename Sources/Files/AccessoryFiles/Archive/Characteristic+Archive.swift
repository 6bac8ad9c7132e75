internal import AccessoryModel
internal import HAPCore

extension Characteristic {
    /// Adds properties from the catalog that an archive cannot contain, if the catalog agrees with the archive.
    ///
    /// A characteristic of the catalog therefore stays the same when it is written and read again. The added properties
    /// never contradict the file.
    mutating func addFromCatalog() {
        guard let known = Catalog.characteristic(type), known.metadata.format == metadata.format else { return }
        adminOnly = known.adminOnly
        if permissions == known.permissions.intersection(.archivable) {
            permissions = known.permissions
        }
        var widened = metadata
        widened.validValues = known.metadata.validValues
        widened.minimumLength = known.metadata.minimumLength
        widened.maximumDataLength = metadata.maximumDataLength ?? known.metadata.maximumDataLength
        let valuesAreInRange = known.metadata.validValues.allSatisfy {
            (metadata.minimum ?? $0) <= $0 && $0 <= (metadata.maximum ?? $0)
        }
        guard valuesAreInRange, value.map({ widened.value(from: $0, isStrict: false) != nil }) ?? true else { return }
        metadata = widened
    }
}

extension CharacteristicPermissions {
    /// The permissions that an archive can contain.
    static let archivable: CharacteristicPermissions = [.read, .write, .events]
}
