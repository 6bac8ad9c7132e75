internal import AccessoryModel
internal import HAPCore

extension Characteristic {
    /// Takes from the catalog what the archive has no place for, where that agrees with what the archive says.
    ///
    /// So a file that was written of a cataloged characteristic reads as the same one, and nothing that is served
    /// contradicts the file.
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
    /// What an archive has a place for.
    static let archivable: CharacteristicPermissions = [.read, .write, .events]
}
