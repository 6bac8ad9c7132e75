internal import AccessoryModel
internal import HAPCore

extension DocumentDifference {
    /// Compares a characteristic with what came back of it.
    mutating func compare(_ characteristic: Characteristic, _ kept: Characteristic, at path: String) {
        if isPictureLost { compareServed(characteristic, kept, at: path) }
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
        for member in characteristic.wording.members where kept.wording[member.key] != member.value {
            let text = String(decoding: member.value.text, as: UTF8.self)
            let shown = member.value.string?.excerpt ?? String(text.excerpt.dropFirst().dropLast())
            report(path, "the device's own \(member.key), \(shown), is not kept")
        }
        if findings.count == before { report(path, "something about it is not kept as it is") }
    }

    /// Tells of what is kept, and yet served no more: limits that go without saying.
    private mutating func compareServed(_ characteristic: Characteristic, _ kept: Characteristic, at path: String) {
        let before = characteristic.members(isVerbatim: true)
        let kept = (all: kept.members(isVerbatim: true), served: kept.members(isVerbatim: false))
        let unsaid = ["minValue", "maxValue", "minStep", "maxLen", "maxDataLen"]
            .filter { before[$0] != nil && before[$0] == kept.all[$0] && kept.served[$0] == nil }
        if !unsaid.isEmpty {
            report(path, "\(unsaid.joined(separator: " and ")) will not be served, because the format says the same")
        }
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
