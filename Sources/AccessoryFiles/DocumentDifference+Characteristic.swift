internal import AccessoryModel
internal import HAPCore

extension DocumentDifference {
    /// Compares a characteristic with what came back of it.
    mutating func compare(_ characteristic: Characteristic, _ kept: Characteristic, at path: String) {
        guard characteristic != kept else { return }
        let before = findings.count
        compare("the type", characteristic.type, kept.type, at: path) { $0.description }
        compare("the iid", characteristic.iid, kept.iid, at: path)
        let lost = characteristic.permissions.subtracting(kept.permissions)
        let added = kept.permissions.subtracting(characteristic.permissions)
        if !lost.isEmpty { report(path, "the permissions \(lost.names.joined(separator: ", ")) are not kept") }
        if !added.isEmpty { report(path, "the permissions \(added.names.joined(separator: ", ")) are added") }
        if characteristic.adminOnly != kept.adminOnly { report(path, "what only admins may do is not kept") }
        if characteristic.description != kept.description { report(path, "the description is not kept") }
        compare(characteristic.metadata, kept.metadata, at: path)
        if characteristic.value != kept.value {
            report(path, "its value is not kept; it becomes \(kept.value.map(\.description) ?? "none")")
        }
        if characteristic.wording != kept.wording { report(path, "how the device words it is not kept") }
        if findings.count == before { report(path, "something about it is not kept as it is") }
    }

    private mutating func compare(_ metadata: CharacteristicMetadata, _ kept: CharacteristicMetadata, at path: String) {
        compare("the format", metadata.format, kept.format, at: path) { $0.rawValue }
        compare("the unit", metadata.unit, kept.unit, at: path) { $0?.rawValue ?? "none" }
        compare("the minimum", metadata.minimum, kept.minimum, at: path)
        compare("the maximum", metadata.maximum, kept.maximum, at: path)
        compare("the step", metadata.step, kept.step, at: path)
        compare("the least length", metadata.minimumLength, kept.minimumLength, at: path)
        compare("the greatest length", metadata.maximumLength, kept.maximumLength, at: path)
        compare("the greatest number of bytes", metadata.maximumDataLength, kept.maximumDataLength, at: path)
        if metadata.validValues != kept.validValues { report(path, "the valid values are not kept") }
    }
}
